import { z } from 'zod';
import { changesMembers } from '../gateways/revisions/changes.dto.ts';

/** Maximum number of keys in one `changes` response; the next request returns the others. */
export const MAX_CHANGES = 1_000;

/** Body of `POST /gateway/v1/keys/resolve`. */
export const KeyResolve = z
  .strictObject({
    secret_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 lower-case hexadecimal digits')
      .describe('SHA-256 of the whole key as the client presented it; the key itself is not sent'),
  })
  .meta({ id: 'KeyResolve', description: 'The key that a client presented' });
export type KeyResolve = z.infer<typeof KeyResolve>;

/** The claims of a key's owner, as access tokens name them. Matchers of AI policies read them. */
export const OwnerClaims = z
  .object({
    iss: z.string().describe('The issuer'),
    sub: z.string().describe('The subject'),
    email: z.string().optional().describe('Missing when the directory has none'),
    groups: z.array(z.string()).describe('Display names of the groups, in the order of `groups` of the key'),
  })
  .meta({ id: 'OwnerClaims', description: 'The claims of the owner, as the directory has them' });

/** The usable key of a secret. */
export const ResolvedKey = z
  .object({
    key_id: z.string(),
    owner: z.object({ issuer: z.string(), subject: z.string(), user_id: z.guid() }),
    groups: z.array(z.string()).describe('Ids of all groups of the owner, directly or through subgroups'),
    claims: OwnerClaims,
    status: z.literal('active').describe('Any other status is 404'),
    expires_at: z.iso
      .datetime()
      .optional()
      .describe('The end of this secret: of the key, or earlier for a secret that was replaced by a rotation'),
    version: z.int().describe('Increases with every change of the key, and of the email of its owner'),
    cache_seconds: z
      .int()
      .describe('How long a gateway may use this response, counted from its request, minus `age_ms`'),
    age_ms: z
      .int()
      .min(0)
      .describe(
        'Maximum age of the data in this response, in milliseconds. A gateway may use the response until `cache_seconds` after its request, minus this age',
      ),
  })
  .meta({ id: 'ResolvedKey', description: 'A usable key and its owner' });
export type ResolvedKey = z.infer<typeof ResolvedKey>;

/** The keys that have changed since a version. */
export const KeyChanges = z
  .object({
    ...changesMembers,
    keys: z
      .array(z.object({ key_id: z.string(), version: z.int() }).meta({ id: 'ChangedKey' }))
      .describe(
        `Keys that were created, rotated, disabled, enabled or revoked, or whose owner has a new email; at most ${MAX_CHANGES}`,
      ),
    groups_changed: z
      .boolean()
      .describe('Group memberships or names of groups have changed: cached groups and claims must be requested again'),
  })
  .meta({ id: 'KeyChanges', description: 'Keys that have changed' });
export type KeyChanges = z.infer<typeof KeyChanges>;
