import { getLeaf, formatPath, resolveName } from './attribute-path.ts';
import { readPath, type Target } from './patch-operations.ts';
import {
  removeDuplicateMembers,
  MAX_MEMBERS,
  readDisplayName,
  readMemberId,
  readMembers,
  readType,
} from './read-group.ts';
import { readExternalId } from './read-user.ts';
import { isObject } from './read-value.ts';
import { type Filter, type GroupChange, type PatchOperation, ScimError } from './types.ts';

/**
 * Reads the changes of a PATCH of a group, in order (RFC 7644 §3.5.2). Adjacent changes of members
 * are merged, so that a thousand operations with one member each are one SQL statement. Removing an
 * id that is not a member changes nothing, because provisioning services repeat requests.
 * @throws ScimError 400 `invalidPath`, `invalidValue`, `mutability` or `noTarget`
 */
export function readGroupPatch(operations: readonly PatchOperation[]): GroupChange[] {
  return mergeChanges(operations.flatMap(toChanges));
}

function toChanges({ op, path, value }: PatchOperation): GroupChange[] {
  if (path !== undefined) return readChangesAt(op, readPath(path, 'Group'), value);
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, member]) => {
    const target = resolveName(name, 'Group');
    // Clients also send the id and other readOnly attributes.
    if (target.kind === 'attribute' && getLeaf(target.path).mutability === 'readOnly') return [];
    return readChangesAt(op, target, member);
  });
}

function readChangesAt(op: PatchOperation['op'], target: Target, value: unknown): GroupChange[] {
  if (target.kind !== 'attribute') return [];
  const { attribute, subAttribute } = target.path;
  if (attribute.name === 'schemas') return [];
  if (attribute.mutability === 'readOnly' || subAttribute?.mutability === 'readOnly')
    throw new ScimError(400, 'mutability', `${formatPath(target.path)} is readOnly.`);
  if (attribute.name === 'members') return readMemberChanges(op, target, value);
  if (attribute.name === 'displayName') {
    if (op === 'remove' || value === null) throw new ScimError(400, 'mutability', 'displayName cannot be removed.');
    return [{ kind: 'set_display_name', display_name: readDisplayName(unwrap(value)) }];
  }
  return [{ kind: 'set_external_id', external_id: op === 'remove' ? null : readExternalId(unwrap(value)) }];
}

/** Unwraps a value that a client sends in a list of one element or in an object. */
const unwrap = (value: unknown): unknown => {
  const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(inner) && 'value' in inner ? inner['value'] : inner;
};

function readMemberChanges(
  op: PatchOperation['op'],
  target: Extract<Target, { kind: 'attribute' }>,
  value: unknown,
): GroupChange[] {
  const { path, filter } = target;
  if (path.subAttribute !== undefined && !(path.subAttribute.name === 'value' && filter === undefined))
    throw new ScimError(400, 'mutability', `${formatPath(path)} is immutable: remove the member and add another.`);
  if (op === 'remove') {
    if (filter !== undefined) return [selectMembers(filter)];
    // With a list of values, only these members are removed; without a value, all members are.
    if (value === undefined || value === null) return [{ kind: 'replace_members', members: [] }];
    return [{ kind: 'remove_members', values: readMembers(value).map((member) => member.value) }];
  }
  if (filter !== undefined) return [addSelected(filter, op)];
  const members = readMembers(value);
  return [op === 'add' ? { kind: 'add_members', members } : { kind: 'replace_members', members }];
}

/** Members that a filter in brackets selects: by id, several with `or`, or by type. */
function selectMembers(filter: Filter): GroupChange {
  if (filter.kind === 'compare' && filter.operator === 'eq') {
    const { name } = getLeaf(filter.path);
    if (name === 'value') return { kind: 'remove_members', values: [readMemberId(filter.value)] };
    if (name === 'type') return { kind: 'remove_members_of_type', type: readType(filter.value) };
  }
  if (filter.kind === 'or') {
    const parts = filter.filters.map(selectMembers);
    const values = parts.flatMap((part) => (part.kind === 'remove_members' ? part.values : []));
    if (parts.every((part) => part.kind === 'remove_members'))
      return { kind: 'remove_members', values: [...new Set(values)] };
  }
  throw new ScimError(
    400,
    'invalidPath',
    'Members are selected by value or type, for example members[value eq "<id>"].',
  );
}

/** `add` at `members[value eq "id"]`: the member that the filter names. */
function addSelected(filter: Filter, op: 'add' | 'replace'): GroupChange {
  const selected = selectMembers(filter);
  if (op === 'replace' || selected.kind !== 'remove_members')
    throw new ScimError(400, 'mutability', 'A member is immutable: remove it and add another.');
  return { kind: 'add_members', members: selected.values.map((value) => ({ value })) };
}

/** Merges adjacent changes of one kind. */
function mergeChanges(changes: readonly GroupChange[]): GroupChange[] {
  const result: GroupChange[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    if (last?.kind === 'add_members' && change.kind === 'add_members') {
      result[result.length - 1] = { kind: 'add_members', members: last.members.concat(change.members) };
    } else if (last?.kind === 'remove_members' && change.kind === 'remove_members') {
      result[result.length - 1] = { kind: 'remove_members', values: last.values.concat(change.values) };
    } else {
      result.push(change);
    }
  }
  // A single operation has no duplicates.
  return result.length === changes.length ? result : result.map(removeDuplicates);
}

/**
 * Removes duplicate members.
 * @throws ScimError 400 `invalidValue` for more members than one request may name
 */
function removeDuplicates(change: GroupChange): GroupChange {
  if (change.kind === 'remove_members') return { ...change, values: requireMaxLength([...new Set(change.values)]) };
  if (change.kind !== 'add_members') return change;
  return { ...change, members: requireMaxLength(removeDuplicateMembers(change.members)) };
}

function requireMaxLength<T>(list: T[]): T[] {
  if (list.length > MAX_MEMBERS)
    throw new ScimError(400, 'invalidValue', `A request names at most ${MAX_MEMBERS} members.`);
  return list;
}
