import { leafOf, pathName, resolveName } from './attribute-path.ts';
import { patchedList } from './patch-list.ts';
import { readPath, type Target } from './patch-operations.ts';
import { checkedUser, readExternalId } from './read-user.ts';
import { isObject, membersOf, readValue } from './read-value.ts';
import { type AttributePath, type JsonObject, type PatchOperation, ScimError, type UserInput } from './types.ts';

type Verb = PatchOperation['op'];

/**
 * The user after the operations, one after the other (RFC 7644 §3.5.2). The user that was given
 * stays as it is; all operations count or none. Attributes that no schema has are ignored; a
 * readOnly one is refused when a path names it and ignored inside a value.
 * @throws ScimError 400 `invalidPath`, `invalidValue`, `mutability` or `noTarget`
 */
export function patchUser(current: UserInput, operations: readonly PatchOperation[]): UserInput {
  const before: JsonObject = {
    active: current.active,
    ...current.attributes,
    userName: current.user_name,
    ...(current.external_id !== null && { externalId: current.external_id }),
  };
  const { userName, active, externalId, ...attributes } = operations.reduce(applied, before);
  return checkedUser({ userName, active, externalId: readExternalId(externalId), attributes });
}

function applied(user: JsonObject, { op, path, value }: PatchOperation): JsonObject {
  if (path !== undefined) return appliedAt(user, op, readPath(path, 'User'), value);
  return Object.entries(isObject(value) ? value : {}).reduce((held, [name, member]) => {
    const target = targetOfKey(name);
    const readOnly = target.kind === 'attribute' && leafOf(target.path).mutability === 'readOnly';
    return readOnly ? held : appliedAt(held, op, target, member);
  }, user);
}

/**
 * A key of a value without path: a name, a dotted name, one with a URN, or even a path with a
 * filter.
 */
const targetOfKey = (name: string): Target => (name.includes('[') ? readPath(name, 'User') : resolveName(name, 'User'));

function appliedAt(user: JsonObject, op: Verb, target: Target, value: unknown): JsonObject {
  if (target.kind === 'unknown') return user;
  if (target.kind === 'extension') return appliedToExtension(user, op, target.extension, value);
  const { path, filter } = target;
  const { extension, attribute, subAttribute } = path;
  if (attribute.name === 'schemas') return user;
  if (attribute.mutability === 'readOnly' || subAttribute?.mutability === 'readOnly')
    throw new ScimError(400, 'mutability', `${pathName(path)} is readOnly.`);
  const held = extension === undefined ? user : objectAt(user, extension);
  const changed = attribute.multiValued
    ? having(held, attribute.name, patchedList(held[attribute.name], { op, path, filter, value }))
    : op === 'remove' || value === null
      ? withoutSingle(held, path)
      : withSingle(held, path, unwrapped(value, path));
  return extension === undefined ? changed : having(user, extension, filled(changed));
}

/** `urn:…:User` as path or key: its attributes one by one. */
function appliedToExtension(user: JsonObject, op: Verb, extension: string, value: unknown): JsonObject {
  if (op === 'remove' || value === null) return having(user, extension, undefined);
  if (!isObject(value)) throw new ScimError(400, 'invalidValue', `${extension} is an object.`);
  return Object.entries(value).reduce((held, [name, member]) => {
    const target = resolveName(`${extension}:${name}`, 'User');
    const readOnly = target.kind === 'attribute' && leafOf(target.path).mutability === 'readOnly';
    return readOnly ? held : appliedAt(held, op, target, member);
  }, user);
}

/** The object with the member, or without it where there is no value. */
const having = (object: JsonObject, name: string, value: unknown): JsonObject =>
  value === undefined
    ? Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
    : { ...object, [name]: value };

const objectAt = (object: JsonObject, name: string): JsonObject => {
  const held = object[name];
  return isObject(held) ? held : {};
};

const filled = (object: JsonObject): JsonObject | undefined => (Object.keys(object).length > 0 ? object : undefined);

function withoutSingle(held: JsonObject, path: AttributePath): JsonObject {
  const { attribute, subAttribute } = path;
  if (attribute.required) throw new ScimError(400, 'mutability', `${pathName(path)} cannot be removed.`);
  if (subAttribute === undefined) return having(held, attribute.name, undefined);
  return having(held, attribute.name, filled(having(objectAt(held, attribute.name), subAttribute.name, undefined)));
}

/**
 * Sets an attribute that has one value. Parts of an object that the value does not name stay (RFC
 * 7644 §3.5.2.1, §3.5.2.3); null takes one away.
 */
function withSingle(held: JsonObject, path: AttributePath, value: unknown): JsonObject {
  const { attribute, subAttribute } = path;
  if (subAttribute === undefined && attribute.type === 'complex' && isObject(value)) {
    const members = membersOf(value, pathName(path));
    return (attribute.subAttributes ?? []).reduce((object, part) => {
      const member = members.get(part.name.toLowerCase());
      if (member === undefined || part.mutability === 'readOnly') return object;
      return withSingle(object, { ...path, subAttribute: part }, member);
    }, held);
  }
  const read = readValue(leafOf(path), value, pathName(path));
  if (read === undefined && attribute.required)
    throw new ScimError(400, 'invalidValue', `${pathName(path)} is required.`);
  if (read === undefined) return withoutSingle(held, path);
  const before = objectAt(held, attribute.name);
  if (subAttribute !== undefined) return having(held, attribute.name, { ...before, [subAttribute.name]: read });
  return having(held, attribute.name, isObject(read) ? { ...before, ...read } : read);
}

/**
 * The value of an attribute that has one: some clients wrap it in a list of one, or a plain value
 * in an object with `value`.
 */
function unwrapped(value: unknown, path: AttributePath): unknown {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return leafOf(path).type !== 'complex' && isObject(inner) && 'value' in inner ? inner['value'] : inner;
}
