import { API_KEY_ID_PATTERN, apiKeyPrefix } from '@gatehouse/auth/api-key';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import type { Stored } from '../database/stored.ts';
import { line, uuid } from '../directory/text.ts';
import { getDisabledBy, getStatus } from './key.ts';
import type { VirtualKeyRow } from './virtual-key.entity.ts';

const MAX_TTL_SECONDS = 10 * 365 * 24 * 60 * 60;
const MAX_METADATA_ENTRIES = 32;

/** A key as its owner and administrators see it: never the secret, never its hash. */
export const VirtualKey = z
  .object({
    id: z.string().describe('Short id; the public part of the key itself'),
    name: z.string(),
    prefix: z.string().describe('How the key begins: `gh_<id>`'),
    status: z
      .enum(['active', 'disabled', 'revoked'])
      .describe('Revoked is for ever. A key whose `expires_at` has passed opens nothing, whatever its status'),
    disabled_by: z
      .array(z.enum(['owner', 'administrator', 'deactivation']))
      .optional()
      .describe(
        'Who keeps a disabled key disabled: each lets go of its own only; `deactivation` ends when the owner’s directory entry is active again',
      ),
    owner_ref: z
      .string()
      .describe('The owner: the subject, for further issuers `<issuer id>/<subject>`, as in budgets and charges'),
    created_by: z.string().describe('Who made the key, written like `owner_ref`'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().optional().describe('Absent for a key that does not expire'),
    last_used_at: z.iso
      .datetime()
      .optional()
      .describe(
        'Last time that a gateway resolved the key, asked for an admission or a lease with it, or reported its usage; written at most once a minute',
      ),
    previous_secret_valid_until: z.iso
      .datetime()
      .optional()
      .describe('After a rotation: until when the secret before it works'),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'VirtualKey', description: 'A virtual API key' });
export type VirtualKey = z.infer<typeof VirtualKey>;

/** A key and the only sight of its secret. */
export const KeyWithSecret = z
  .object({
    key: VirtualKey,
    secret: z
      .string()
      .describe('The whole key, to be presented to the AI gateway. Shown in this answer and never again'),
  })
  .meta({ id: 'KeyWithSecret', description: 'A key with its new secret' });
export type KeyWithSecret = z.infer<typeof KeyWithSecret>;

/** The keys of a person. */
export const KeyList = z
  .object({ keys: z.array(VirtualKey) })
  .meta({ id: 'KeyList', description: 'Keys, newest first: all that are not revoked, then the newest revoked ones' });
export type KeyList = z.infer<typeof KeyList>;

/** Body of `POST /v1/keys`. */
export const KeyCreate = z
  .strictObject({
    name: line(255).optional().describe('For people; need not be unique. Default is the prefix of the key'),
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
      .describe(`Labels, ${MAX_METADATA_ENTRIES} at most: names of up to 64 characters, values of up to 512`),
    ttl_seconds: z
      .int()
      .min(0)
      .max(MAX_TTL_SECONDS)
      .optional()
      .describe('After how many seconds the key expires; 0, like none, means never. Ten years at most'),
  })
  .meta({
    id: 'KeyCreate',
    description: 'A new key; it always belongs to the caller',
    examples: [{ name: 'laptop', metadata: { team: 'search' }, ttl_seconds: 7_776_000 }],
  });
export type KeyCreate = z.infer<typeof KeyCreate>;

const keyId = () => z.string().regex(API_KEY_ID_PATTERN, 'must be the id of a key');

/** The path of one of the caller's keys. */
export const KeyPath = z.strictObject({ id: keyId() });
export type KeyPath = z.infer<typeof KeyPath>;

/** The path of a person's key. */
export const UserKeyPath = z.strictObject({ id: uuid(), key_id: keyId() });
export type UserKeyPath = z.infer<typeof UserKeyPath>;

/** Request headers of a rotation. */
export const RotationHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters')
    .optional()
    .describe('Names this rotation: the same name again is 409 instead of another rotation'),
});
export type RotationHeaders = z.infer<typeof RotationHeaders>;

/** A stored key as it is read for people. */
export type KeyDetails = Omit<Stored<VirtualKeyRow>, 'user_id' | 'version' | 'rotation_requests'> & {
  last_used_at: string | null;
};

/** A stored key as clients see it. @param owner the owner as reports name them */
export const toVirtualKey = (row: KeyDetails, owner: string, now: Date): VirtualKey => {
  const disablers = getDisabledBy(row);
  const grace = row.previous_valid_until;
  return {
    id: row.id,
    name: row.name,
    prefix: apiKeyPrefix(row.id),
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
