import { describe, expect, it } from '@jest/globals';
import { readGroupPatch } from './patch-group.ts';
import { readPatch } from './patch-operations.ts';
import { readGroup } from './read-group.ts';
import { GROUP_SCHEMA } from './schemas.ts';
import { type GroupChange, ScimError } from './types.ts';

const MESSAGE = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const readChanges = (...operations: unknown[]) =>
  readGroupPatch(readPatch({ schemas: [MESSAGE], Operations: operations }));
const getRefusal = (...operations: unknown[]): string | undefined => {
  try {
    readChanges(...operations);
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType ?? ''}`;
    throw error;
  }
  return undefined;
};
const A = '019a0000-0000-7000-8000-00000000000a';
const B = '019a0000-0000-7000-8000-00000000000b';
const createRemoval = (...values: string[]): GroupChange => ({ kind: 'remove_members', values });
const createAddition = (...values: string[]): GroupChange => ({
  kind: 'add_members',
  members: values.map((value) => ({ value })),
});

describe('a PATCH of a group', () => {
  it.each<[unknown, GroupChange[]]>([
    [{ op: 'Add', path: 'members', value: [{ value: A }] }, [createAddition(A)]],
    [{ op: 'add', path: 'members', value: { value: A.toUpperCase(), display: 'Ana' } }, [createAddition(A)]],
    [{ op: 'add', path: 'Members', value: [A, B, A] }, [createAddition(A, B)]],
    [
      { op: 'add', value: { members: [{ value: A, type: 'user' }] } },
      [{ kind: 'add_members', members: [{ value: A, type: 'User' }] }],
    ],
    [{ op: 'add', path: `${GROUP_SCHEMA}:members`, value: [{ value: A }] }, [createAddition(A)]],
    [{ op: 'Remove', path: 'members', value: [{ value: A }] }, [createRemoval(A)]],
    [{ op: 'Remove', path: 'members', value: [] }, [createRemoval()]],
    [{ op: 'remove', path: `members[value eq "${A}"]` }, [createRemoval(A)]],
    [{ op: 'remove', path: `members[value eq "${A}" or value eq "${B}"]` }, [createRemoval(A, B)]],
    [{ op: 'remove', path: `members[VALUE EQ "${A.toUpperCase()}"]` }, [createRemoval(A)]],
    [{ op: 'remove', path: 'members[type eq "Group"]' }, [{ kind: 'remove_members_of_type', type: 'Group' }]],
    [{ op: 'remove', path: 'members' }, [{ kind: 'replace_members', members: [] }]],
    [{ op: 'replace', path: 'members', value: [{ value: B }] }, [{ kind: 'replace_members', members: [{ value: B }] }]],
    [{ op: 'replace', path: 'members', value: [] }, [{ kind: 'replace_members', members: [] }]],
    [{ op: 'add', path: `members[value eq "${A}"]`, value: {} }, [createAddition(A)]],
    [
      { op: 'replace', value: { id: A, displayName: ' Everyone ' } },
      [{ kind: 'set_display_name', display_name: 'Everyone' }],
    ],
    [
      { op: 'Replace', path: 'displayName', value: 'Everyone' },
      [{ kind: 'set_display_name', display_name: 'Everyone' }],
    ],
    [{ op: 'replace', path: 'externalId', value: 'g1' }, [{ kind: 'set_external_id', external_id: 'g1' }]],
    [{ op: 'remove', path: 'externalId' }, [{ kind: 'set_external_id', external_id: null }]],
    [{ op: 'add', path: 'urn:example:Group:colour', value: 'red' }, []],
  ])('reads %j', (operation, expected) => {
    expect(readChanges(operation)).toEqual(expected);
  });

  it('combines the members of consecutive operations in order', () => {
    const ids = Array.from({ length: 999 }, (_, index) => `id-${index}`);
    expect(readChanges(...ids.map((value) => ({ op: 'add', path: 'members', value: [{ value }] })))).toEqual([
      createAddition(...ids),
    ]);
    expect(
      readChanges(
        { op: 'add', path: 'members', value: [A] },
        { op: 'remove', path: `members[value eq "${A}"]` },
        { op: 'remove', path: 'members', value: [B, A] },
        { op: 'add', path: 'members', value: [A] },
      ),
    ).toEqual([createAddition(A), createRemoval(A, B), createAddition(A)]);
  });

  it.each([
    ['400 noTarget', { op: 'remove' }],
    ['400 mutability', { op: 'remove', path: 'displayName' }],
    ['400 mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['400 mutability', { op: 'replace', path: 'members.display', value: 'x' }],
    ['400 mutability', { op: 'replace', path: `members[value eq "${A}"].value`, value: B }],
    ['400 mutability', { op: 'replace', path: `members[value eq "${A}"]`, value: { value: B } }],
    ['400 invalidPath', { op: 'remove', path: 'members[display eq "Ana"]' }],
    ['400 invalidPath', { op: 'remove', path: `members[not (value eq "${A}")]` }],
    ['400 invalidPath', { op: 'remove', path: `members[value eq ${A}]` }],
    ['400 invalidValue', { op: 'add', path: 'members', value: [{ display: 'unknown' }] }],
    ['400 invalidValue', { op: 'add', path: 'members', value: [{ value: A, type: 'Robot' }] }],
    ['400 invalidValue', { op: 'add', path: 'members', value: [{ value: A, type: 'constructor' }] }],
    ['400 invalidValue', { op: 'add', path: 'members', value: [7] }],
    ['400 invalidValue', { op: 'replace', path: 'displayName', value: '\u200b' }],
    ['400 invalidValue', { op: 'replace', path: 'displayName', value: 'a\nb' }],
    ['400 invalidSyntax', { op: 'add', path: 'members', value: [{ value: A, VALUE: B }] }],
  ])('answers %s to %j', (response, operation) => {
    expect(getRefusal(operation)).toBe(response);
  });
});

describe('readGroup', () => {
  it('returns each member once', () => {
    expect(
      readGroup({
        schemas: [GROUP_SCHEMA],
        DISPLAYNAME: 'Tour Guides',
        externalId: 'x',
        members: [{ value: A }, { value: A, type: 'User' }],
      }),
    ).toEqual({
      display_name: 'Tour Guides',
      external_id: 'x',
      members: [{ value: A, type: 'User' }],
    });
  });

  it.each([
    {},
    { schemas: [GROUP_SCHEMA] },
    { schemas: [GROUP_SCHEMA], displayName: 'a'.repeat(257) },
    { schemas: ['x'], displayName: 'a' },
    [],
    null,
    'x',
  ])('refuses %j', (body) => {
    expect(() => readGroup(body)).toThrow(ScimError);
  });
});
