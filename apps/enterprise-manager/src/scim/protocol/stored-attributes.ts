import type { JsonObject } from './types.ts';

/**
 * SQL over `users u` of the SCIM `emails` of a user that is not provisioned. Only provisioned users
 * have attributes in `u.scim`; those of other users are built from columns.
 */
const KNOWN_EMAILS = `CASE WHEN u.email IS NOT NULL
    THEN jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', TRUE)) END`;

/** SQL of a user's attributes as JSON. */
export const ATTRIBUTES = `CASE WHEN u.source = 'scim' THEN u.scim
    ELSE jsonb_strip_nulls(jsonb_build_object('displayName', u.display_name, 'emails', ${KNOWN_EMAILS})) END`;

/** SQL of a user's display name as text. */
export const DISPLAY_NAME = `CASE WHEN u.source = 'scim' THEN u.scim ->> 'displayName' ELSE u.display_name END`;

/**
 * SQL of a user's multi-valued attribute as JSON.
 * @param name an attribute of the user schema, other than `groups`
 */
export const listSql = (name: string): string =>
  name === 'emails'
    ? `CASE WHEN u.source = 'scim' THEN u.scim -> 'emails' ELSE ${KNOWN_EMAILS} END`
    : `u.scim -> '${name}'`;

/** Texts in the structure of a resource, for example `{ emails: [{ type: 'work' }] }`. */
export type HeldTexts = JsonObject;

/**
 * Returns the ids of the users whose attributes may contain the texts, in any case; undefined for
 * too many users.
 */
export type Holders = (texts: HeldTexts) => readonly string[] | undefined;

/**
 * Whether users that are not provisioned can contain the texts: they have names and addresses in
 * columns, but no `u.scim`.
 */
export const canMatchUnprovisioned = (texts: HeldTexts): boolean => 'displayName' in texts || 'emails' in texts;
