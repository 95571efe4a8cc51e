import { z } from 'zod';

/** Longest wait of `changes` in seconds. */
const MAX_WAIT_SECONDS = 30;

/** Most keys in one answer of `changes`; the next question gets the rest. */
export const MAX_CHANGES = 1_000;

/** Body of `POST /gateway/v1/keys/resolve`. */
export const KeyResolve = z
  .strictObject({
    secret_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 lower-case hexadecimal digits')
      .describe('SHA-256 of the whole key as it was presented; the key itself never travels'),
  })
  .meta({ id: 'KeyResolve', description: 'The key that somebody presented' });
export type KeyResolve = z.infer<typeof KeyResolve>;

/** What a secret opens. */
export const ResolvedKey = z
  .object({
    key_id: z.string(),
    owner: z.object({ issuer: z.string(), subject: z.string(), user_id: z.guid() }),
    groups: z.array(z.string()).describe('Ids of all groups that hold the owner, directly or through subgroups'),
    status: z.literal('active').describe('Anything else is 404'),
    expires_at: z.iso.datetime().optional(),
    version: z.int().describe('Grows with every change of the key'),
    cache_seconds: z.int().describe('How long a gateway may go on with this answer'),
    age_ms: z
      .int()
      .min(0)
      .describe(
        'How old the answer can be at most. It may be used until `cache_seconds` after it was asked for, less this',
      ),
  })
  .meta({ id: 'ResolvedKey', description: 'A usable key and whom it speaks for' });
export type ResolvedKey = z.infer<typeof ResolvedKey>;

/** What `GET /gateway/v1/keys/changes` takes. */
export const KeyChangesQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a version')
    .transform(Number)
    .optional()
    .meta({
      description: 'The `version` of the last answer; without it the present one is answered at once',
      override: { type: 'integer', minimum: 0 },
    }),
  wait: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of seconds')
    .transform((text) => Math.min(Number(text), MAX_WAIT_SECONDS))
    .default(MAX_WAIT_SECONDS)
    .meta({
      description: 'How many seconds to wait for a change; at most 30',
      override: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: MAX_WAIT_SECONDS },
    }),
});
export type KeyChangesQuery = z.infer<typeof KeyChangesQuery>;

/** What has changed since a version. */
export const KeyChanges = z
  .object({
    version: z.int().describe('To be sent as `after` in the next question'),
    keys: z
      .array(z.object({ key_id: z.string(), version: z.int() }).meta({ id: 'ChangedKey' }))
      .describe(`Keys that were made, rotated, disabled, enabled or revoked, ${MAX_CHANGES} at most`),
    groups_changed: z.boolean().describe('Memberships have changed: what is kept about groups must be asked for again'),
    reset: z.boolean().describe('`after` is of another database: everything that is kept must be asked for again'),
  })
  .meta({ id: 'KeyChanges', description: 'Keys that have changed' });
export type KeyChanges = z.infer<typeof KeyChanges>;
