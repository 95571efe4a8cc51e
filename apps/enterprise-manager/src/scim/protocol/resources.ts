import { isObject } from './read-value.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './schemas.ts';
import type { JsonObject, JsonText, ScimError, StoredGroup, StoredUser, UserInput } from './types.ts';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/**
 * Builds the resource of a user (RFC 7643 §4.1), without `groups`: see `renderResource`.
 * @param base base URL of the endpoint, `https://…/scim/<issuer id>/v2`
 * @param managers ids of managers that are users of the endpoint
 */
export function createUserResource(
  row: StoredUser,
  base: string,
  managers: ReadonlySet<string> = new Set(),
): JsonObject {
  const { [ENTERPRISE_SCHEMA]: stored, active, ...attributes } = row.scim;
  const enterprise = isObject(stored) ? setManagerReference(stored, base, managers) : undefined;
  return {
    schemas: [USER_SCHEMA, ...(enterprise ? [ENTERPRISE_SCHEMA] : [])],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    meta: createMeta(row, 'User', `${base}/Users/${row.id}`),
    userName: row.user_name,
    ...(active !== null && { active: row.active }),
    ...attributes,
    ...(enterprise && { [ENTERPRISE_SCHEMA]: enterprise }),
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the id of a user's manager, in lower case; undefined for a value that is not a UUID. */
export function readManagerId({ scim }: Pick<StoredUser, 'scim'>): string | undefined {
  const enterprise = scim[ENTERPRISE_SCHEMA];
  const manager = isObject(enterprise) ? enterprise['manager'] : undefined;
  const value = isObject(manager) ? manager['value'] : undefined;
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}

/**
 * Sets `manager.$ref` for a manager that is a user of this service. It removes a reference that a
 * client sent, because that could be any URL.
 */
function setManagerReference(enterprise: JsonObject, base: string, managers: ReadonlySet<string>): JsonObject {
  const { manager } = enterprise;
  if (!isObject(manager)) return enterprise;
  const { $ref: _foreign, ...own } = manager;
  const id = readManagerId({ scim: { [ENTERPRISE_SCHEMA]: enterprise } });
  const known = id !== undefined && managers.has(id);
  return { ...enterprise, manager: { ...own, ...(known && { $ref: `${base}/Users/${id}` }) } };
}

/**
 * Builds the resource of a group (RFC 7643 §4.2), without `members`: see `renderResource`.
 * @param base base URL of the endpoint
 */
export const createGroupResource = (row: StoredGroup, base: string): JsonObject => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  meta: createMeta(row, 'Group', `${base}/Groups/${row.id}`),
  displayName: row.display_name,
});

/**
 * Renders a resource with a list that the database already wrote as JSON. Parsing a long list would
 * take most of the time of the response.
 * @param list undefined for a response without the list
 */
export const renderResource = (
  resource: JsonObject,
  name: 'groups' | 'members',
  list: JsonText | undefined,
): JsonText => (list === undefined ? JSON.stringify(resource) : `${renderOpen(resource)},"${name}":${list}}`);

/** Renders a non-empty object as JSON without the closing brace. */
const renderOpen = (object: JsonObject): string => JSON.stringify(object).slice(0, -1);

const createMeta = (row: StoredUser | StoredGroup, resourceType: string, location: string): JsonObject => ({
  resourceType,
  created: row.created_at,
  lastModified: row.updated_at,
  location,
  version: formatVersionTag(row.version),
});

/** The entity tag of a version, for `meta.version` and the ETag header (RFC 7644 §3.14). */
export const formatVersionTag = (version: number): string => `W/"${version}"`;

/** Builds the first page of a list (RFC 7644 §3.4.2). */
export const listResponse = (resources: readonly JsonObject[], totalResults: number): JsonObject => ({
  ...toListHeader(resources, totalResults, 1),
  Resources: resources,
});

/**
 * Renders a page of rendered resources into one buffer; a page can have half a megabyte.
 * @param startIndex from 1
 */
export function listBytes(resources: readonly JsonText[], totalResults: number, startIndex: number): Buffer {
  const facts = renderOpen(toListHeader(resources, totalResults, startIndex));
  const parts = [`${facts},"Resources":[`, ...resources.flatMap((text, at) => (at === 0 ? text : [',', text])), ']}'];
  const bytes = Buffer.allocUnsafe(parts.reduce((size, part) => size + Buffer.byteLength(part), 0));
  let end = 0;
  for (const part of parts) end += bytes.write(part, end);
  return bytes;
}

const toListHeader = ({ length }: readonly unknown[], totalResults: number, startIndex: number): JsonObject => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: length,
});

/** Builds the body of an error (RFC 7644 §3.12). Its status is a string. */
export const createErrorBody = ({
  status,
  scimType,
  detail,
}: Pick<ScimError, 'status' | 'scimType' | 'detail'>): JsonObject => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
});

/** The columns of the directory that follow from SCIM attributes. */
export interface DirectoryFields {
  /** The display name, else the parts of the name, else the user name. */
  display_name: string;
  /** The primary address, else the work address, else the first. */
  email: string | null;
  /** The primary picture, else the first; only an http or https URL. */
  photo_url: string | null;
}

/** Computes the columns of the directory from a user's attributes. */
export function getDirectoryFields({ user_name, attributes }: UserInput): DirectoryFields {
  const name = isObject(attributes['name']) ? attributes['name'] : {};
  const parts = [name['givenName'], name['familyName']].filter((part) => typeof part === 'string').join(' ');
  const photo = findPreferred(attributes['photos'], 'photo');
  return {
    display_name: readText(attributes['displayName']) ?? readText(name['formatted']) ?? (parts || user_name),
    email: findPreferred(attributes['emails'], 'work'),
    photo_url: photo !== null && /^https?:\/\//i.test(photo) ? photo : null,
  };
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ') : undefined;

function findPreferred(list: unknown, type: string): string | null {
  const elements = (Array.isArray(list) ? list : []).filter(isObject).filter(({ value }) => typeof value === 'string');
  const chosen =
    elements.find((element) => element['primary'] === true) ??
    elements.find((element) => element['type'] === type) ??
    elements[0];
  return typeof chosen?.['value'] === 'string' ? chosen['value'] : null;
}
