import { describe, expect, it } from '@jest/globals';
import { listIgnoredOfBody, listIgnoredOfPatch } from './ignored-members.ts';
import { readPatch } from './patch-operations.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './schemas.ts';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

describe('listIgnoredOfBody', () => {
  it('returns unknown members', () => {
    const body = {
      schemas: [USER_SCHEMA],
      userName: 'a',
      id: 'x',
      meta: { resourceType: 'User' },
      manager: 'boss',
      [`${ENTERPRISE_SCHEMA}:department`]: 'Design',
      name: { givenName: 'A', shortName: 'a' },
      emails: [{ value: 'a@b.test', verified: true }],
      password: 'secret value',
      shoeSize: 44,
      'name.familyName': 'B',
      [`${USER_SCHEMA}:title`]: 'Dr',
      [ENTERPRISE_SCHEMA]: { costCenter: '1', floor: 3, 'manager.value': 'boss' },
      'urn:example:custom:2.0:User': { badge: 1 },
    };
    expect(listIgnoredOfBody(body, 'User')).toEqual([
      'name.shortName',
      'emails.verified',
      'password',
      'shoeSize',
      'name.familyName',
      `${USER_SCHEMA}:title`,
      `${ENTERPRISE_SCHEMA}:floor`,
      `${ENTERPRISE_SCHEMA}:manager.value`,
      'urn:example:custom:2.0:User',
    ]);
  });

  it('returns unknown members of groups', () => {
    const body = { schemas: [GROUP_SCHEMA], displayName: 'A', description: 'x', members: [{ value: '1', role: 'x' }] };
    expect(listIgnoredOfBody(body, 'Group')).toEqual(['description', 'members.role']);
  });

  it('returns at most 20 short, printable names', () => {
    const names = listIgnoredOfBody(
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x\u0007${at}`, 1])),
      'User',
    );
    expect(names).toHaveLength(20);
    expect(names[0]).toBe('x0');
    expect(listIgnoredOfBody({ ['x'.repeat(5_000)]: 1 }, 'User')[0]).toHaveLength(100);
  });
});

describe('listIgnoredOfPatch', () => {
  const listIgnored = (...Operations: object[]) =>
    listIgnoredOfPatch(readPatch({ schemas: [PATCH], Operations }), 'User');

  it('returns unknown paths and unknown members of values', () => {
    expect(
      listIgnored(
        { op: 'replace', path: 'department', value: 'Art' },
        { op: 'replace', path: 'shoeSize', value: '44' },
        { op: 'replace', path: 'emails[type eq "work"].verified', value: true },
        { op: 'add', path: 'name', value: { givenName: 'A', shortName: 'a' } },
        { op: 'add', path: ENTERPRISE_SCHEMA, value: { floor: 3 } },
        { op: 'replace', value: { 'name.givenName': 'A', hobby: 'x', 'emails[type eq "work"].value': 'a@b.test' } },
      ),
    ).toEqual(['shoeSize', 'emails[type eq "work"].verified', 'name.shortName', `${ENTERPRISE_SCHEMA}:floor`, 'hobby']);
  });
});
