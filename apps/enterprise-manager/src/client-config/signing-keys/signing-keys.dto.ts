import { z } from 'zod';
import type { StoredSigningKey } from './signing-keys.repository.ts';

/** Which key. */
export const KidPath = z.object({
  kid: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the id of a signing key')
    .describe('Id of the key in the key set (RFC 7638 thumbprint)'),
});
export type KidPath = z.infer<typeof KidPath>;

/** A signing key as administrators see it. */
export const SigningKey = z
  .object({
    kid: z.string().describe('Id of the key in the key set'),
    state: z
      .enum(['next', 'current', 'previous'])
      .describe('`next` is shown and signs nothing yet, `current` signs, `previous` only verifies'),
    created_at: z.iso.datetime(),
    activated_at: z.iso.datetime().optional().describe('When it began to sign'),
    retired_at: z.iso.datetime().optional().describe('When it stopped'),
    shown_until: z.iso.datetime().optional().describe('When it leaves the key set'),
  })
  .meta({ id: 'SigningKey', description: 'A key that signs configuration; never its private half' });
export type SigningKey = z.infer<typeof SigningKey>;

/** All keys that the key set shows. */
export const SigningKeyList = z
  .object({ keys: z.array(SigningKey).describe('Next, current, then previous ones, newest first') })
  .meta({ id: 'SigningKeyList', description: 'The keys of the key set' });
export type SigningKeyList = z.infer<typeof SigningKeyList>;

/** A stored key as administrators see it. */
export const toSigningKey = (key: StoredSigningKey): SigningKey => ({
  kid: key.kid,
  state: key.state,
  created_at: key.created_at,
  ...(key.activated_at !== null && { activated_at: key.activated_at }),
  ...(key.retired_at !== null && { retired_at: key.retired_at }),
  ...(key.shown_until !== null && { shown_until: key.shown_until }),
});
