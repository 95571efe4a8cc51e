import { isObject } from './read-value.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './schemas.ts';
import type { JsonObject, JsonText, ScimError, StoredGroup, StoredUser, UserInput } from './types.ts';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/**
 * A user as it is answered (RFC 7643 §4.1), without `groups`: see `resourceText`.
 * @param base URL of the endpoint, `https://…/scim/<issuer id>/v2`
 * @param managers ids of managers that are users of the endpoint
 */
export function userResource(row: StoredUser, base: string, managers: ReadonlySet<string> = new Set()): JsonObject {
  const { [ENTERPRISE_SCHEMA]: stored, active, ...attributes } = row.scim;
  const enterprise = isObject(stored) ? withOwnReference(stored, base, managers) : undefined;
  return {
    schemas: [USER_SCHEMA, ...(enterprise ? [ENTERPRISE_SCHEMA] : [])],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    meta: metaOf(row, 'User', `${base}/Users/${row.id}`),
    userName: row.user_name,
    ...(active !== null && { active: row.active }),
    ...attributes,
    ...(enterprise && { [ENTERPRISE_SCHEMA]: enterprise }),
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id of the manager of a user, in lower case; undefined where it cannot be an id of this
 * service.
 */
export function readManagerId({ scim }: Pick<StoredUser, 'scim'>): string | undefined {
  const enterprise = scim[ENTERPRISE_SCHEMA];
  const manager = isObject(enterprise) ? enterprise['manager'] : undefined;
  const value = isObject(manager) ? manager['value'] : undefined;
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}

/**
 * The enterprise attributes with a `manager.$ref` to a user of this service, or without one. A
 * reference that a client sent is never shown: it could lead anywhere.
 */
function withOwnReference(enterprise: JsonObject, base: string, managers: ReadonlySet<string>): JsonObject {
  const { manager } = enterprise;
  if (!isObject(manager)) return enterprise;
  const { $ref: _foreign, ...own } = manager;
  const id = readManagerId({ scim: { [ENTERPRISE_SCHEMA]: enterprise } });
  const known = id !== undefined && managers.has(id);
  return { ...enterprise, manager: { ...own, ...(known && { $ref: `${base}/Users/${id}` }) } };
}

/**
 * A group as it is answered (RFC 7643 §4.2), without `members`: see `resourceText`.
 * @param base URL of the endpoint
 */
export const groupResource = (row: StoredGroup, base: string): JsonObject => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  meta: metaOf(row, 'Group', `${base}/Groups/${row.id}`),
  displayName: row.display_name,
});

/**
 * A resource as text, with a long list that the database has written as JSON already: reading it
 * into objects, only to write them again, would be most of the work of an answer.
 * @param list undefined where the answer does not carry it
 */
export const resourceText = (resource: JsonObject, name: 'groups' | 'members', list: JsonText | undefined): JsonText =>
  list === undefined ? JSON.stringify(resource) : `${open(resource)},"${name}":${list}}`;

/** An object that has members, as JSON without its last brace. */
const open = (object: JsonObject): string => JSON.stringify(object).slice(0, -1);

const metaOf = (row: StoredUser | StoredGroup, resourceType: string, location: string): JsonObject => ({
  resourceType,
  created: row.created_at,
  lastModified: row.updated_at,
  location,
  version: versionTag(row.version),
});

/** The entity tag of a version, as `meta.version` and the ETag header have it (RFC 7644 §3.14). */
export const versionTag = (version: number): string => `W/"${version}"`;

/** A page (RFC 7644 §3.4.2). `startIndex` counts from 1. */
export const listResponse = (resources: readonly JsonObject[], totalResults: number): JsonObject => ({
  ...pageFacts(resources, totalResults, 1),
  Resources: resources,
});

/**
 * The same of resources that are text already, in one piece as it is sent: a page can be half a
 * megabyte.
 */
export function listBytes(resources: readonly JsonText[], totalResults: number, startIndex: number): Buffer {
  const facts = open(pageFacts(resources, totalResults, startIndex));
  const parts = [`${facts},"Resources":[`, ...resources.flatMap((text, at) => (at === 0 ? text : [',', text])), ']}'];
  const bytes = Buffer.allocUnsafe(parts.reduce((size, part) => size + Buffer.byteLength(part), 0));
  let end = 0;
  for (const part of parts) end += bytes.write(part, end);
  return bytes;
}

const pageFacts = ({ length }: readonly unknown[], totalResults: number, startIndex: number): JsonObject => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: length,
});

/** The body of a failure (RFC 7644 §3.12); the status is text. */
export const errorBody = ({
  status,
  scimType,
  detail,
}: Pick<ScimError, 'status' | 'scimType' | 'detail'>): JsonObject => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
});

/** What the rest of the directory shows of a person. */
export interface DirectoryFields {
  /** The display name, else the parts of the name, else the user name. */
  display_name: string;
  /** The primary address, else the one for work, else the first. */
  email: string | null;
  /** The primary picture, else the first; only where it is on the web. */
  photo_url: string | null;
}

/** Takes the columns of the directory from a person's attributes. */
export function directoryFields({ user_name, attributes }: UserInput): DirectoryFields {
  const name = isObject(attributes['name']) ? attributes['name'] : {};
  const parts = [name['givenName'], name['familyName']].filter((part) => typeof part === 'string').join(' ');
  const photo = preferred(attributes['photos'], 'photo');
  return {
    display_name: textOf(attributes['displayName']) ?? textOf(name['formatted']) ?? (parts || user_name),
    email: preferred(attributes['emails'], 'work'),
    photo_url: photo !== null && /^https?:\/\//i.test(photo) ? photo : null,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ') : undefined;

function preferred(list: unknown, type: string): string | null {
  const elements = (Array.isArray(list) ? list : []).filter(isObject).filter(({ value }) => typeof value === 'string');
  const chosen =
    elements.find((element) => element['primary'] === true) ??
    elements.find((element) => element['type'] === type) ??
    elements[0];
  return typeof chosen?.['value'] === 'string' ? chosen['value'] : null;
}
