import { describe, expect, it } from '@jest/globals';
import { project, readProjection } from './projection.ts';
import { readUser } from './read-user.ts';
import { getDirectoryFields, createUserResource } from './resources.ts';
import { ENTERPRISE_SCHEMA as ENTERPRISE, USER_SCHEMA } from './schemas.ts';
import { type JsonObject, ScimError } from './types.ts';

const read = (body: JsonObject) => readUser({ schemas: [USER_SCHEMA], userName: 'bjensen', ...body });
const getRefusal = (body: unknown): string => {
  try {
    readUser(body);
  } catch (error) {
    if (error instanceof ScimError) return `${error.scimType ?? ''}: ${error.detail}`;
    throw error;
  }
  throw new Error('it was read');
};

describe('readUser', () => {
  it('returns known attributes in canonical spelling and omits all others', () => {
    expect(
      readUser({
        SCHEMAS: [USER_SCHEMA.toLowerCase()],
        USERNAME: 'Bjensen',
        password: 'hunter2',
        id: 'x',
        meta: { created: 'x' },
        groups: [{ value: 'x' }],
        Name: { GivenName: 'Barbara', shoeSize: 44, familyName: '' },
        Emails: [{ Value: 'b@x.test', Type: 'work', Primary: 'True', extra: 1 }, {}, 'c@x.test'],
        phoneNumbers: [],
        nickName: null,
        active: 'false',
        [ENTERPRISE.toUpperCase()]: { manager: 'boss', DEPARTMENT: 'Art' },
        shoeSize: 44,
      }),
    ).toEqual({
      user_name: 'Bjensen',
      external_id: null,
      active: false,
      attributes: {
        name: { givenName: 'Barbara' },
        emails: [{ value: 'b@x.test', type: 'work', primary: true }, { value: 'c@x.test' }],
        [ENTERPRISE]: { department: 'Art', manager: { value: 'boss' } },
      },
    });
  });

  it('keeps a disabled user disabled if the body omits active', () => {
    const disabled = read({ active: false });
    expect(readUser({ schemas: [USER_SCHEMA], userName: 'bjensen' }, disabled).active).toBe(false);
    expect(read({}).active).toBe(true);
  });

  it.each([
    [{ userName: 'x' }, /^invalidSyntax: schemas/],
    [{ schemas: [], userName: 'x' }, /^invalidSyntax: schemas/],
    [{ schemas: [USER_SCHEMA] }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: '\u200b ' }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: 7 }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: ['x'] }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: 'a'.repeat(321) }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: '\ufdfa'.repeat(200) }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: 'a\u0000b' }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: 'a\ud800b' }, /^invalidValue: userName/],
    [{ schemas: [USER_SCHEMA], userName: 'a', USERNAME: 'b' }, /^invalidSyntax: .*USERNAME/],
    [{ schemas: [USER_SCHEMA], userName: 'a', name: 'Barbara' }, /^invalidValue: name/],
    [{ schemas: [USER_SCHEMA], userName: 'a', name: { givenName: {} } }, /^invalidValue: name\.givenName/],
    [{ schemas: [USER_SCHEMA], userName: 'a', name: { givenName: 'x', GIVENname: 'y' } }, /^invalidSyntax: name/],
    [{ schemas: [USER_SCHEMA], userName: 'a', active: 1 }, /^invalidValue: active/],
    [{ schemas: [USER_SCHEMA], userName: 'a', emails: [[]] }, /^invalidValue: emails/],
    [{ schemas: [USER_SCHEMA], userName: 'a', emails: [{ value: 7 }] }, /^invalidValue: emails\.value/],
    [
      { schemas: [USER_SCHEMA], userName: 'a', x509Certificates: [{ value: '<pem>' }] },
      /^invalidValue: x509Certificates\.value/,
    ],
    [{ schemas: [USER_SCHEMA], userName: 'a', [ENTERPRISE]: 'Art' }, /^invalidValue: urn/],
    [{ schemas: [USER_SCHEMA], userName: 'a', externalId: {} }, /^invalidValue: externalId/],
    [
      {
        schemas: [USER_SCHEMA],
        userName: 'a',
        x509Certificates: Array.from({ length: 20 }, (_, index) => ({ value: `${index}`.padEnd(16_000, 'A') })),
      },
      /^invalidValue: The attributes/,
    ],
    ['x', /^invalidSyntax/],
    [null, /^invalidSyntax/],
  ])('refuses %j', (body, message) => {
    expect(getRefusal(body)).toMatch(message);
  });
});

describe('getDirectoryFields', () => {
  it.each([
    [{ displayName: 'Barbara J', name: { formatted: 'Ms. Barbara' } }, 'Barbara J'],
    [{ name: { formatted: 'Ms. Barbara', givenName: 'B' } }, 'Ms. Barbara'],
    [{ name: { givenName: 'Barbara', familyName: 'Jensen' } }, 'Barbara Jensen'],
    [{}, 'bjensen'],
  ])('returns the display name of %j', (body, name) => {
    expect(getDirectoryFields(read(body)).display_name).toBe(name);
  });

  it('prefers the primary address, then the work address', () => {
    const home = { value: 'h@x.test', type: 'home' };
    const work = { value: 'w@x.test', type: 'work' };
    expect(getDirectoryFields(read({ emails: [home, work] })).email).toBe('w@x.test');
    expect(getDirectoryFields(read({ emails: [{ ...home, primary: true }, work] })).email).toBe('h@x.test');
    expect(getDirectoryFields(read({ emails: [home] })).email).toBe('h@x.test');
    expect(getDirectoryFields(read({})).email).toBeNull();
  });

  it('omits a picture without an HTTP URL', () => {
    expect(getDirectoryFields(read({ photos: ['javascript:alert(1)'] })).photo_url).toBeNull();
    expect(getDirectoryFields(read({ photos: [{ value: 'https://x.test/p.png' }] })).photo_url).toBe(
      'https://x.test/p.png',
    );
  });
});

describe('project', () => {
  const resource = createUserResource(
    {
      id: 'u1',
      user_name: 'bjensen',
      external_id: 'e1',
      active: true,
      version: 3,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      scim: {
        name: { givenName: 'B', familyName: 'J' },
        emails: [{ value: 'b@x.test', type: 'work' }],
        [ENTERPRISE]: { department: 'Art', manager: { value: 'boss' } },
      },
    },
    'https://x.test/scim/corp/v2',
  );
  const projectResource = (attributes?: string, excluded?: string) =>
    project(resource, 'User', readProjection('User', attributes, excluded));

  it('returns all attributes by default', () => {
    expect(projectResource()).toEqual(resource);
    expect(projectResource('')).toEqual(resource);
    expect(resource).toMatchObject({
      schemas: [USER_SCHEMA, ENTERPRISE],
      meta: { version: 'W/"3"', location: 'https://x.test/scim/corp/v2/Users/u1', resourceType: 'User' },
    });
  });

  it.each<[string, JsonObject]>([
    ['userName', { userName: 'bjensen' }],
    ['USERNAME , nope', { userName: 'bjensen' }],
    [`${USER_SCHEMA}:userName`, { userName: 'bjensen' }],
    ['name.givenName', { name: { givenName: 'B' } }],
    ['emails.value', { emails: [{ value: 'b@x.test' }] }],
    [`${ENTERPRISE}:department`, { [ENTERPRISE]: { department: 'Art' } }],
    [`${ENTERPRISE}:manager.value`, { [ENTERPRISE]: { manager: { value: 'boss' } } }],
    [ENTERPRISE, { [ENTERPRISE]: resource[ENTERPRISE] }],
    ['nope', {}],
  ])('returns only id, schemas and %s on request', (attributes, expected) => {
    expect(projectResource(attributes)).toEqual({ schemas: resource['schemas'], id: 'u1', ...expected });
  });

  it('omits excluded attributes except id and schemas', () => {
    const left = projectResource(undefined, `id,schemas,emails,name.givenName,groups,${ENTERPRISE}:manager`);
    expect(left).toMatchObject({
      id: 'u1',
      schemas: [USER_SCHEMA, ENTERPRISE],
      name: { familyName: 'J' },
      [ENTERPRISE]: { department: 'Art' },
    });
    expect(Object.keys(left)).not.toContain('emails');
    expect(Object.keys(left)).not.toContain('groups');
    expect(JSON.stringify(left)).not.toMatch(/givenName|boss/);
    expect(Object.keys(projectResource(undefined, ENTERPRISE))).not.toContain(ENTERPRISE);
  });
});
