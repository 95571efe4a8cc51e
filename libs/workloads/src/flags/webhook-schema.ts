import * as z from 'zod/mini';
import { parseGoDuration } from './go-duration.ts';

const text = z.optional(z.nullable(z.string()));

/** A webhook, in a file and in a run configuration. */
export const WebhookSchema = z.looseObject({
  name: z.string().check(z.minLength(1)),
  url: z.string(),
  /** Nanoseconds, or a duration as in Go; 0 or absent: 10 s. */
  timeout: z.optional(
    z.union([
      z.number(),
      z.string().check(z.refine((value) => parseGoDuration(value) !== undefined, 'is not a duration, such as 5s')),
    ]),
  ),
  failure_policy: z.enum(['fail', 'ignore']),
  tls_config: z.optional(
    z.nullable(
      z.looseObject({
        ca_bundle_path: text,
        client_cert_path: text,
        client_key_path: text,
        insecure_skip_verify: z.optional(z.boolean()),
      }),
    ),
  ),
  /** The absolute path of a file, or the name of a secret, `NAME` or `NAME,target=X`. */
  hmac_secret_ref: text,
});
export type WebhookConfig = Readonly<z.output<typeof WebhookSchema>>;

export const WebhooksSchema = z.readonly(z.array(WebhookSchema));

/** A file of `--webhook-config`. */
export const WebhookFileSchema = z.looseObject({
  validating: z.optional(z.nullable(WebhooksSchema)),
  mutating: z.optional(z.nullable(WebhooksSchema)),
});
