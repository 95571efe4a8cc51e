import { resolve } from 'node:path';
import { describeIssue } from '../files/schema-issue.ts';
import { readStructuredFile } from '../files/structured-file.ts';
import { findWebhookProblem } from './check-webhook.ts';
import { type WebhookConfig, WebhookFileSchema } from './webhook-schema.ts';

/** The webhooks of a command line. */
export interface RequestedWebhooks {
  readonly validating: readonly WebhookConfig[];
  readonly mutating: readonly WebhookConfig[];
}

const KINDS = ['validating', 'mutating'] as const;

/**
 * Reads, checks and merges the files of `--webhook-config`. A webhook of a later file takes the
 * place of the one with its name.
 * @param folder the folder of relative paths
 * @throws WorkloadError (usage) that names the flag, the line and the member
 */
export function readWebhookFiles(typed: readonly string[], folder: string): RequestedWebhooks {
  const merged = { validating: new Map<string, WebhookConfig>(), mutating: new Map<string, WebhookConfig>() };
  for (const path of typed) {
    const file = readStructuredFile('--webhook-config', path, folder);
    const parsed = WebhookFileSchema.safeParse(file.value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw file.refuse((issue?.path ?? []) as (string | number)[], describeIssue(issue));
    }
    if (KINDS.every((kind) => !parsed.data[kind]?.length))
      throw file.refuse([], 'has neither a validating nor a mutating webhook');
    for (const kind of KINDS) {
      for (const [index, webhook] of (parsed.data[kind] ?? []).entries()) {
        const complete = resolvePaths(webhook, folder);
        const found = findWebhookProblem(complete);
        if (found !== undefined) throw file.refuse([kind, index, ...found.path], found.problem);
        merged[kind].set(webhook.name, complete);
      }
    }
  }
  return { validating: [...merged.validating.values()], mutating: [...merged.mutating.values()] };
}

/** Makes the paths of files absolute. */
function resolvePaths(webhook: WebhookConfig, folder: string): WebhookConfig {
  const { tls_config: tls } = webhook;
  if (tls == null) return webhook;
  const names = ['ca_bundle_path', 'client_cert_path', 'client_key_path'] as const;
  const paths = names.flatMap((name) => (tls[name] ? [[name, resolve(folder, tls[name])] as const] : []));
  return { ...webhook, tls_config: { ...tls, ...Object.fromEntries(paths) } };
}
