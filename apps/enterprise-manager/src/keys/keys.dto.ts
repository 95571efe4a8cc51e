import { API_KEY_ID_PATTERN, getApiKeyPrefix } from '@gatehouse/auth/api-key';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import type { Stored } from '@gatehouse/database/stored';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../validation/text.ts';
import { getDisabledBy, getStatus } from './key.ts';
import type { VirtualKeyRow } from './virtual-key.entity.ts';

const MAX_TTL_SECONDS = 10 * 365 * 24 * 60 * 60;
const MAX_METADATA_ENTRIES = 32;

/** A key as its owner and administrators see it, without the secret and its hash. */
export const VirtualKey = z
  .object({
    id: z.string().describe('Short id, which is also the public part of the key text'),
    name: z.string(),
    prefix: z.string().describe('The beginning of the key text: `gh_<id>`'),
    status: z
      .enum(['active', 'disabled', 'revoked'])
      .describe('`revoked` is permanent. A key whose `expires_at` has passed is unusable in any status'),
    disabled_by: z
      .array(z.enum(['owner', 'administrator', 'deactivation']))
      .optional()
      .describe(
        'The reasons why the key is disabled. `owner` and `administrator` can each be undone only by the same side; `deactivation` ends when the owner’s directory entry is active again',
      ),
    owner_ref: z
      .string()
      .describe('The owner: the subject, or `<issuer id>/<subject>` for further issuers, as in budgets and charges'),
    created_by: z.string().describe('The user who created the key, in the form of `owner_ref`'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().optional().describe('Absent for a key that does not expire'),
    last_used_at: z.iso
      .datetime()
      .optional()
      .describe(
        'The last time at which a gateway resolved the key, requested an admission or a lease with it, or reported its usage; updated at most once a minute',
      ),
    previous_secret_valid_until: z.iso
      .datetime()
      .optional()
      .describe('After a rotation: the end of the validity of the previous secret'),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'VirtualKey', description: 'A virtual API key' });
export type VirtualKey = z.infer<typeof VirtualKey>;

/** The response of creation and rotation, the only ones with the secret. */
export const KeyWithSecret = z
  .object({
    key: VirtualKey,
    secret: z
      .string()
      .describe('The whole key, which clients present to the AI gateway. No other response contains it'),
  })
  .meta({ id: 'KeyWithSecret', description: 'A key with its new secret' });
export type KeyWithSecret = z.infer<typeof KeyWithSecret>;

/** The keys of a user. */
export const KeyList = z.object({ keys: z.array(VirtualKey) }).meta({
  id: 'KeyList',
  description: 'The keys that are not revoked, newest first, and then the newest revoked keys',
});
export type KeyList = z.infer<typeof KeyList>;

/** Body of `POST /v1/keys`. */
export const KeyCreate = z
  .strictObject({
    name: line(255).optional().describe('Display name; it need not be unique. Default: the prefix of the key'),
    metadata: z
      .record(
        z.string().regex(/^[\w.:/-]{1,64}$/, 'has a key that is not 1 to 64 letters, digits and . _ : / -'),
        z
          .string()
          .max(512)
          .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line of text'),
      )
      .check(atMostEntries(MAX_METADATA_ENTRIES))
      .optional()
      .describe(`Labels, at most ${MAX_METADATA_ENTRIES}: names of up to 64 characters, values of up to 512`),
    ttl_seconds: z
      .int()
      .min(0)
      .max(MAX_TTL_SECONDS)
      .optional()
      .describe('Lifetime of the key in seconds, at most ten years; 0 or no value means that it does not expire'),
  })
  .meta({
    id: 'KeyCreate',
    description: 'A new key, which always belongs to the caller',
    examples: [{ name: 'laptop', metadata: { team: 'search' }, ttl_seconds: 7_776_000 }],
  });
export type KeyCreate = z.infer<typeof KeyCreate>;

const keyId = () => z.string().regex(API_KEY_ID_PATTERN, 'must be the id of a key');

/** Path parameters of the operations on one of the caller's keys. */
export const KeyPath = z.strictObject({ id: keyId() });
export type KeyPath = z.infer<typeof KeyPath>;

/** Path parameters of the operations on a user's key. */
export const UserKeyPath = z.strictObject({ id: uuid(), key_id: keyId() });
export type UserKeyPath = z.infer<typeof UserKeyPath>;

/** Request headers of a rotation. */
export const RotationHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters')
    .optional()
    .describe('Identifies this rotation: a second request with the same value is 409 instead of another rotation'),
});
export type RotationHeaders = z.infer<typeof RotationHeaders>;

/** The columns of a key that `VirtualKey` is made from. */
export type KeyDetails = Omit<Stored<VirtualKeyRow>, 'user_id' | 'version' | 'rotation_requests'> & {
  last_used_at: string | null;
};

/** Converts a stored key to the DTO. @param owner the owner reference */
export const toVirtualKey = (row: KeyDetails, owner: string, now: Date): VirtualKey => {
  const disablers = getDisabledBy(row);
  const grace = row.previous_valid_until;
  return {
    id: row.id,
    name: row.name,
    prefix: getApiKeyPrefix(row.id),
    status: getStatus(row),
    ...(row.revoked_at === null && disablers.length > 0 && { disabled_by: disablers }),
    owner_ref: owner,
    created_by: row.created_by,
    created_at: row.created_at,
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    ...(row.last_used_at !== null && { last_used_at: row.last_used_at }),
    ...(grace !== null &&
      row.revoked_at === null &&
      Date.parse(grace) > now.getTime() && { previous_secret_valid_until: grace }),
    metadata: row.metadata,
  };
};
