import { z } from 'zod';
import type { StoredSigningKey } from './signing-keys.repository.ts';

/** The path of one signing key. */
export const KidPath = z.object({
  kid: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the id of a signing key: 43 characters of base64url')
    .describe('The id of the key in the key set: its thumbprint (RFC 7638)'),
});
export type KidPath = z.infer<typeof KidPath>;

/** A signing key for administrators. */
export const SigningKey = z
  .object({
    kid: z.string().describe('The id of the key in the key set'),
    state: z
      .enum(['next', 'current', 'previous'])
      .describe('`next` is in the key set and does not sign yet, `current` signs, `previous` only verifies'),
    created_at: z.iso.datetime().describe('When the key was added to the key set'),
    activated_at: z.iso.datetime().optional().describe('When the key began to sign'),
    retired_at: z.iso.datetime().optional().describe('When the key stopped signing'),
    shown_until: z.iso.datetime().optional().describe('When the key leaves the key set'),
  })
  .meta({
    id: 'SigningKey',
    description: 'A key that signs configuration envelopes and checkpoints, without its private key',
  });
export type SigningKey = z.infer<typeof SigningKey>;

/** The keys of the key set. */
export const SigningKeyList = z
  .object({ keys: z.array(SigningKey).describe('The next key, the current key, then previous keys, newest first') })
  .meta({ id: 'SigningKeyList', description: 'The keys of the key set' });
export type SigningKeyList = z.infer<typeof SigningKeyList>;

/** Converts a stored key for administrators. */
export const toSigningKey = (key: StoredSigningKey): SigningKey => ({
  kid: key.kid,
  state: key.state,
  created_at: key.created_at,
  ...(key.activated_at !== null && { activated_at: key.activated_at }),
  ...(key.retired_at !== null && { retired_at: key.retired_at }),
  ...(key.shown_until !== null && { shown_until: key.shown_until }),
});
