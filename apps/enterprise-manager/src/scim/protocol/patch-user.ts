import { getLeaf, formatPath, resolveName } from './attribute-path.ts';
import { applyListChange } from './patch-list.ts';
import { readPath, type Target } from './patch-operations.ts';
import { requireValidUser, readExternalId } from './read-user.ts';
import { isObject, indexMembers, readValue } from './read-value.ts';
import { type AttributePath, type JsonObject, type PatchOperation, ScimError, type UserInput } from './types.ts';

type Verb = PatchOperation['op'];

/**
 * Applies operations to a user in order, all or none (RFC 7644 §3.5.2). The given object does not
 * change. Unknown attributes are ignored. A readOnly attribute is an error in a path and is ignored
 * in a value.
 * @throws ScimError 400 `invalidPath`, `invalidValue`, `mutability` or `noTarget`
 */
export function patchUser(current: UserInput, operations: readonly PatchOperation[]): UserInput {
  const before: JsonObject = {
    active: current.active,
    ...current.attributes,
    userName: current.user_name,
    ...(current.external_id !== null && { externalId: current.external_id }),
  };
  const { userName, active, externalId, ...attributes } = operations.reduce(applyOperation, before);
  return requireValidUser({ userName, active, externalId: readExternalId(externalId), attributes });
}

function applyOperation(user: JsonObject, { op, path, value }: PatchOperation): JsonObject {
  if (path !== undefined) return applyAt(user, op, readPath(path, 'User'), value);
  return Object.entries(isObject(value) ? value : {}).reduce((held, [name, member]) => {
    const target = resolveKey(name);
    const readOnly = target.kind === 'attribute' && getLeaf(target.path).mutability === 'readOnly';
    return readOnly ? held : applyAt(held, op, target, member);
  }, user);
}

/** Resolves a key of a value without a path: a name, optionally with dot or URN, or a path. */
const resolveKey = (name: string): Target => (name.includes('[') ? readPath(name, 'User') : resolveName(name, 'User'));

function applyAt(user: JsonObject, op: Verb, target: Target, value: unknown): JsonObject {
  if (target.kind === 'unknown') return user;
  if (target.kind === 'extension') return applyToExtension(user, op, target.extension, value);
  const { path, filter } = target;
  const { extension, attribute, subAttribute } = path;
  if (attribute.name === 'schemas') return user;
  if (attribute.mutability === 'readOnly' || subAttribute?.mutability === 'readOnly')
    throw new ScimError(400, 'mutability', `${formatPath(path)} is readOnly.`);
  const held = extension === undefined ? user : getObject(user, extension);
  const changed = attribute.multiValued
    ? setMember(held, attribute.name, applyListChange(held[attribute.name], { op, path, filter, value }))
    : op === 'remove' || value === null
      ? removeSingle(held, path)
      : setSingle(held, path, unwrap(value, path));
  return extension === undefined ? changed : setMember(user, extension, omitEmpty(changed));
}

/** Applies an operation on a whole extension attribute by attribute. */
function applyToExtension(user: JsonObject, op: Verb, extension: string, value: unknown): JsonObject {
  if (op === 'remove' || value === null) return setMember(user, extension, undefined);
  if (!isObject(value)) throw new ScimError(400, 'invalidValue', `${extension} is an object.`);
  return Object.entries(value).reduce((held, [name, member]) => {
    const target = resolveName(`${extension}:${name}`, 'User');
    const readOnly = target.kind === 'attribute' && getLeaf(target.path).mutability === 'readOnly';
    return readOnly ? held : applyAt(held, op, target, member);
  }, user);
}

/** Returns the object with a member set, or removed for undefined. */
const setMember = (object: JsonObject, name: string, value: unknown): JsonObject =>
  value === undefined
    ? Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
    : { ...object, [name]: value };

const getObject = (object: JsonObject, name: string): JsonObject => {
  const held = object[name];
  return isObject(held) ? held : {};
};

const omitEmpty = (object: JsonObject): JsonObject | undefined => (Object.keys(object).length > 0 ? object : undefined);

function removeSingle(held: JsonObject, path: AttributePath): JsonObject {
  const { attribute, subAttribute } = path;
  if (attribute.required) throw new ScimError(400, 'mutability', `${formatPath(path)} cannot be removed.`);
  if (subAttribute === undefined) return setMember(held, attribute.name, undefined);
  return setMember(
    held,
    attribute.name,
    omitEmpty(setMember(getObject(held, attribute.name), subAttribute.name, undefined)),
  );
}

/**
 * Sets a single-valued attribute. Absent parts of an object keep their values (RFC 7644 §3.5.2.1,
 * §3.5.2.3); null removes a part.
 */
function setSingle(held: JsonObject, path: AttributePath, value: unknown): JsonObject {
  const { attribute, subAttribute } = path;
  if (subAttribute === undefined && attribute.type === 'complex' && isObject(value)) {
    const members = indexMembers(value, formatPath(path));
    return (attribute.subAttributes ?? []).reduce((object, part) => {
      const member = members.get(part.name.toLowerCase());
      if (member === undefined || part.mutability === 'readOnly') return object;
      return setSingle(object, { ...path, subAttribute: part }, member);
    }, held);
  }
  const read = readValue(getLeaf(path), value, formatPath(path));
  if (read === undefined && attribute.required)
    throw new ScimError(400, 'invalidValue', `${formatPath(path)} is required.`);
  if (read === undefined) return removeSingle(held, path);
  const before = getObject(held, attribute.name);
  if (subAttribute !== undefined) return setMember(held, attribute.name, { ...before, [subAttribute.name]: read });
  return setMember(held, attribute.name, isObject(read) ? { ...before, ...read } : read);
}

/** Unwraps a value that a client sends in a list of one element or in an object with `value`. */
function unwrap(value: unknown, path: AttributePath): unknown {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return getLeaf(path).type !== 'complex' && isObject(inner) && 'value' in inner ? inner['value'] : inner;
}
