import { toComparisonKey, hasVisibleCharacter } from '../../validation/names.ts';
import { GROUP_SCHEMA } from './schemas.ts';
import { createValueError, isObject, indexMembers } from './read-value.ts';
import { readExternalId, readResourceMembers } from './read-user.ts';
import type { GroupInput, MemberInput, ResourceType } from './types.ts';

/** Most members that one request names. */
export const MAX_MEMBERS = 50_000;
const MAX_NAME = 256;
const MAX_KEY_BYTES = 2_000;
const MAX_ID = 256;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads the body of a POST or PUT of a group (RFC 7644 §3.3, §3.5.1). A PUT without members leaves
 * the group empty.
 * @throws ScimError 400 `invalidSyntax` or `invalidValue` that names the attribute
 */
export function readGroup(body: unknown): GroupInput {
  const members = readResourceMembers(body, GROUP_SCHEMA);
  return {
    display_name: readDisplayName(members.get('displayname')),
    external_id: readExternalId(members.get('externalid')),
    members: readMembers(members.get('members')),
  };
}

/**
 * Reads the name of a group: one line with at least one visible character.
 * @throws ScimError 400 `invalidValue`
 */
export function readDisplayName(value: unknown): string {
  if (value === undefined || value === null || value === '') throw createValueError('displayName is required.');
  if (typeof value !== 'string') throw createValueError('displayName is text.');
  const name = value.trim();
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) throw createValueError('displayName is one line of text.');
  if (name.length > MAX_NAME || Buffer.byteLength(toComparisonKey(name)) > MAX_KEY_BYTES)
    throw createValueError(`displayName has at most ${MAX_NAME} characters.`);
  if (!hasVisibleCharacter(name)) throw createValueError('displayName must contain a visible character.');
  return name;
}

/**
 * Reads members: objects with a `value`, or ids. The result has lower-case ids without duplicates.
 * @throws ScimError 400 `invalidValue`
 */
export function readMembers(value: unknown): MemberInput[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MEMBERS) throw createValueError(`A request names at most ${MAX_MEMBERS} members.`);
  return removeDuplicateMembers(list.map(readMember));
}

/** Removes duplicate members and keeps the type that one of them has. */
export function removeDuplicateMembers(named: readonly MemberInput[]): MemberInput[] {
  const members = new Map<string, MemberInput>();
  for (const member of named) {
    const before = members.get(member.value);
    members.set(member.value, before === undefined ? member : { ...before, ...member });
  }
  return [...members.values()];
}

function readMember(element: unknown): MemberInput {
  if (typeof element === 'string') return { value: readMemberId(element) };
  if (!isObject(element)) throw createValueError('An element of members is an object with a value.');
  // A fast path for the usual element; requests have thousands of them.
  if (typeof element['value'] === 'string' && Object.keys(element).length === 1)
    return { value: readMemberId(element['value']) };
  const parts = indexMembers(element, 'An element of members');
  const type = parts.get('type');
  return {
    value: readMemberId(parts.get('value')),
    ...(type !== undefined && type !== null && { type: readType(type) }),
  };
}

/**
 * Reads the id of a member. Ids are case-insensitive UUIDs; any other text matches no member.
 * @throws ScimError 400 `invalidValue`
 */
export function readMemberId(value: unknown): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID || /[\p{Cc}\p{Cs}]/u.test(value))
    throw createValueError('members.value is the id of a user or group.');
  return value.toLowerCase();
}

/**
 * Reads the type of a member.
 * @throws ScimError 400 `invalidValue`
 */
export function readType(value: unknown): ResourceType {
  const type = (['User', 'Group'] as const).find(
    (name) => typeof value === 'string' && name.toLowerCase() === value.toLowerCase(),
  );
  if (type === undefined) throw createValueError('members.type is User or Group.');
  return type;
}
