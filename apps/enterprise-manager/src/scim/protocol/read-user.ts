import { toComparisonKey, hasVisibleCharacter } from '../../validation/names.ts';
import { createValueError, isObject, indexMembers, makePrintable, readValue } from './read-value.ts';
import { RESOURCE_KINDS, USER_SCHEMA } from './schemas.ts';
import { type Attribute, type JsonObject, ScimError, type UserInput } from './types.ts';

/** Maximum length of a user name in characters. */
const MAX_NAME = 320;
/** Maximum size of an indexed comparison form in bytes. */
const MAX_KEY_BYTES = 2_000;
/** Maximum size of the stored attributes of a user, as JSON in bytes. */
const MAX_ATTRIBUTES_BYTES = 131_072;

const EXTERNAL_ID: Attribute = {
  name: 'externalId',
  type: 'string',
  multiValued: false,
  description: '',
  required: false,
  mutability: 'readWrite',
  returned: 'default',
};

/**
 * Reads the body of a POST, or of a PUT of the user `current` (RFC 7644 §3.3, §3.5.1). A PUT
 * removes absent attributes, except `active`: its absence must not activate a deactivated user.
 * `password`, readOnly and unknown attributes are ignored.
 * @throws ScimError 400 `invalidSyntax` or `invalidValue` that names the attribute
 */
export function readUser(body: unknown, current?: UserInput): UserInput {
  const members = readResourceMembers(body, USER_SCHEMA);
  const { core, extensions } = RESOURCE_KINDS.User;
  const attributes = readAttributes(core.attributes, members);
  for (const { id, attributes: extended } of extensions) {
    const value = members.get(id.toLowerCase()) ?? {};
    if (!isObject(value)) throw createValueError(`${id} is an object.`);
    const read = readAttributes(extended, addBareNames(indexMembers(value, id), members, id, extended), `${id}:`);
    if (Object.keys(read).length > 0) attributes[id] = read;
  }
  const { userName, active, ...others } = attributes;
  return requireValidUser({
    userName,
    active: active ?? current?.active ?? true,
    externalId: readExternalId(members.get('externalid')),
    attributes: others,
  });
}

/**
 * Adds the attributes of an extension that large identity providers send outside of it, by
 * qualified or bare name (`urn:…:User:manager`, `manager`). Members of the extension take
 * precedence.
 */
function addBareNames(
  own: Map<string, unknown>,
  beside: Map<string, unknown>,
  id: string,
  attributes: readonly Attribute[],
): Map<string, unknown> {
  const all = new Map(own);
  for (const key of attributes.map(({ name }) => name.toLowerCase())) {
    const other = beside.get(`${id.toLowerCase()}:${key}`) ?? beside.get(key);
    if (!all.has(key) && other !== undefined) all.set(key, other);
  }
  return all;
}

/**
 * Validates a whole user. A user without `active` is not active; the attribute `active: null`
 * records that the client removed it.
 * @throws ScimError 400 `invalidValue`
 */
export function requireValidUser(user: {
  userName: unknown;
  active: unknown;
  externalId: string | null;
  attributes: JsonObject;
}): UserInput {
  const { userName, active, externalId, attributes } = user;
  if (typeof userName !== 'string' || !hasVisibleCharacter(userName)) throw createValueError('userName is required.');
  if (userName.length > MAX_NAME || Buffer.byteLength(toComparisonKey(userName)) > MAX_KEY_BYTES)
    throw createValueError(`userName has at most ${MAX_NAME} characters.`);
  const held = typeof active === 'boolean' ? attributes : { ...attributes, active: null };
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  if (bytes > MAX_ATTRIBUTES_BYTES)
    throw createValueError(`The attributes of a user take at most ${MAX_ATTRIBUTES_BYTES} bytes; these take ${bytes}.`);
  return { user_name: userName, external_id: externalId, active: active === true, attributes: held };
}

/**
 * Reads `externalId`.
 * @throws ScimError 400 `invalidValue`
 */
export function readExternalId(value: unknown): string | null {
  const text = readValue(EXTERNAL_ID, value);
  if (typeof text !== 'string') return null;
  if (Buffer.byteLength(text) > MAX_KEY_BYTES) throw createValueError(`externalId has at most ${MAX_KEY_BYTES} bytes.`);
  return text;
}

/** Reads the attributes of a schema that a client may write. */
function readAttributes(attributes: readonly Attribute[], members: Map<string, unknown>, prefix = ''): JsonObject {
  const result: JsonObject = {};
  for (const attribute of attributes) {
    if (attribute.mutability === 'readOnly') continue;
    const value = readValue(attribute, members.get(attribute.name.toLowerCase()), `${prefix}${attribute.name}`);
    if (value !== undefined) result[attribute.name] = value;
  }
  return result;
}

/**
 * Returns the members of a request body by lower-case name, and requires its schema (RFC 7643 §3).
 * @throws ScimError 400 `invalidSyntax`
 */
export function readResourceMembers(body: unknown, schema: string): Map<string, unknown> {
  if (!isObject(body)) throw new ScimError(400, 'invalidSyntax', 'The body is a JSON object.');
  const members = indexMembers(body, 'The body');
  const schemas = members.get('schemas');
  const named: unknown[] = Array.isArray(schemas) ? schemas : [];
  if (!named.some((urn) => typeof urn === 'string' && urn.toLowerCase() === schema.toLowerCase()))
    throw new ScimError(400, 'invalidSyntax', `schemas must contain ${schema}${describeOther(named)}.`);
  return members;
}

const describeOther = (named: unknown[]): string => {
  const first = named.find((urn) => typeof urn === 'string');
  return first === undefined ? '' : `; it has ${makePrintable(first)}`;
};
