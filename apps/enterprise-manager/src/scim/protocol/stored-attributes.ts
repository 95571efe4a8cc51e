import type { JsonObject } from './types.ts';

/**
 * What is known of people whom nobody provisions yet, shown as the SCIM attributes that their entry
 * would have: SQL over `users u`. Whoever is provisioned has their attributes in `u.scim`; the
 * others have none there.
 */
const KNOWN_EMAILS = `CASE WHEN u.email IS NOT NULL
    THEN jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', TRUE)) END`;

/** The attributes of a person as JSON. */
export const ATTRIBUTES = `CASE WHEN u.source = 'scim' THEN u.scim
    ELSE jsonb_strip_nulls(jsonb_build_object('displayName', u.display_name, 'emails', ${KNOWN_EMAILS})) END`;

/** The display name of a person as text. */
export const DISPLAY_NAME = `CASE WHEN u.source = 'scim' THEN u.scim ->> 'displayName' ELSE u.display_name END`;

/**
 * A list of a person as JSON.
 * @param name of an attribute of the user schema, other than `groups`
 */
export const listSql = (name: string): string =>
  name === 'emails'
    ? `CASE WHEN u.source = 'scim' THEN u.scim -> 'emails' ELSE ${KNOWN_EMAILS} END`
    : `u.scim -> '${name}'`;

/** Texts as they stand in a resource, for example `{ emails: [{ type: 'work' }] }`. */
export type HeldTexts = JsonObject;

/**
 * The ids of all whose attributes may hold these texts, whatever their case; undefined where they
 * are many.
 */
export type Holders = (texts: HeldTexts) => readonly string[] | undefined;

/**
 * Whether people whom nobody provisions can hold texts: `u.scim` says nothing of them, but their
 * names and addresses are known.
 */
export const mayBeKnownOtherwise = (texts: HeldTexts): boolean => 'displayName' in texts || 'emails' in texts;
