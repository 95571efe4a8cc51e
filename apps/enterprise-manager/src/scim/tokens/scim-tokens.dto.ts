import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { filterText, line, time } from '@gatehouse/service-kit/text';
import { MAX_GRACE_SECONDS, ROTATION_GRACE_SECONDS, getState, type StoredScimToken } from './scim-token.ts';

const token = {
  id: z.guid(),
  issuer_id: z.string().describe('Id of the issuer whose users and groups the token provisions'),
  name: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  scim_url: z.url().describe('Base URL for the provisioning client'),
  previous_secret_valid_until: z.iso
    .datetime()
    .optional()
    .describe('After a rotation: the end of the validity of the previous secret'),
  expires_at: z.iso.datetime().optional(),
  revoked_at: z.iso.datetime().optional(),
  last_used_at: z.iso.datetime().optional().describe('Updated at most once a minute'),
  created_by: z.object({ issuer: z.string(), subject: z.string() }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

/** A SCIM token, as administrators see it, without its secret. */
export const ScimToken = z
  .object(token)
  .meta({ id: 'ScimToken', description: 'A static bearer token for SCIM, for one issuer' });
export type ScimToken = z.infer<typeof ScimToken>;

/** The response of creation and rotation, the only ones with the secret. */
export const ScimTokenWithSecret = z
  .object({ ...token, secret: z.string().describe('The whole token, `ghscim_…`. No other response contains it') })
  .meta({ id: 'ScimTokenWithSecret', description: 'A SCIM token and its new secret' });
export type ScimTokenWithSecret = z.infer<typeof ScimTokenWithSecret>;

/** A page of tokens. */
export const ScimTokenPage = z
  .object({ items: z.array(ScimToken), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'ScimTokenPage', description: 'SCIM tokens in the order of their creation, also revoked ones' });
export type ScimTokenPage = z.infer<typeof ScimTokenPage>;

/** Query parameters of `GET /v1/scim-tokens`. */
export const ScimTokenListQuery = z.strictObject({ issuer_id: filterText().optional(), ...pageParameters() });
export type ScimTokenListQuery = z.infer<typeof ScimTokenListQuery>;

/** Body of `POST /v1/scim-tokens`. */
export const ScimTokenCreate = z
  .strictObject({
    issuer_id: line(63).describe('`id` of a configured issuer'),
    name: line(128).describe('Display name; it need not be unique'),
    expires_at: time().optional().describe('Default: the token does not expire'),
  })
  .meta({ id: 'ScimTokenCreate', description: 'A new SCIM token' });
export type ScimTokenCreate = z.infer<typeof ScimTokenCreate>;

/** Query parameters of `POST /v1/scim-tokens/{id}/rotate`. */
export const ScimTokenRotateQuery = z.strictObject({
  grace_seconds: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number of seconds')
    .transform(Number)
    .refine((seconds) => seconds <= MAX_GRACE_SECONDS, `must be at most ${MAX_GRACE_SECONDS}`)
    .default(ROTATION_GRACE_SECONDS)
    .meta({
      description: 'Time for which the previous secret stays valid; 0 ends it at once',
      override: { type: 'integer', minimum: 0, maximum: MAX_GRACE_SECONDS, default: ROTATION_GRACE_SECONDS },
    }),
});
export type ScimTokenRotateQuery = z.infer<typeof ScimTokenRotateQuery>;

/** Converts a stored token to the DTO. @param scimUrl base URL of the issuer's endpoint */
export const toScimToken = (row: StoredScimToken, scimUrl: string, now: Date): ScimToken => ({
  id: row.id,
  issuer_id: row.issuer_id,
  name: row.name,
  state: getState(row, now),
  scim_url: scimUrl,
  ...(row.previous_valid_until !== null &&
    Date.parse(row.previous_valid_until) > now.getTime() && {
      previous_secret_valid_until: row.previous_valid_until,
    }),
  ...(row.expires_at !== null && { expires_at: row.expires_at }),
  ...(row.revoked_at !== null && { revoked_at: row.revoked_at }),
  ...(row.last_used_at !== null && { last_used_at: row.last_used_at }),
  created_by: { issuer: row.created_by_issuer, subject: row.created_by_subject },
  created_at: row.created_at,
  updated_at: row.updated_at,
});
