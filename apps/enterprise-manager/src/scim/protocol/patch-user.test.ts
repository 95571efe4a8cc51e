import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { readPatch } from './patch-operations.ts';
import { patchUser } from './patch-user.ts';
import { readUser } from './read-user.ts';
import { ENTERPRISE_SCHEMA as ENTERPRISE, USER_SCHEMA } from './schemas.ts';
import { type JsonObject, ScimError, type UserInput } from './types.ts';

const MESSAGE = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const applyPatch = (user: UserInput, ...operations: unknown[]) =>
  patchUser(user, readPatch({ schemas: [MESSAGE], Operations: operations }));

const createUser = (more: JsonObject = {}): UserInput =>
  readUser({
    schemas: [USER_SCHEMA, ENTERPRISE],
    userName: 'Ella@example.test',
    externalId: 'e1',
    name: { givenName: 'Ella', familyName: 'Entra' },
    emails: [
      { type: 'work', value: 'ella@example.test', primary: true },
      { type: 'home', value: 'ella@home.test' },
    ],
    [ENTERPRISE]: { department: 'Design', manager: { value: 'boss' } },
    ...more,
  });
const getRefusal = (...operations: unknown[]): string | undefined => {
  try {
    applyPatch(createUser(), ...operations);
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType ?? ''}`;
    throw error;
  }
  return undefined;
};

describe('a PATCH of a user', () => {
  it.each([
    ['add', 'nickName', 'Elle', { nickName: 'Elle' }],
    ['Replace', 'NICKNAME', 'Elle', { nickName: 'Elle' }],
    ['Add', `${USER_SCHEMA}:nickName`, 'Elle', { nickName: 'Elle' }],
    ['Add', 'nickName', [{ $ref: null, value: 'Elle' }], { nickName: 'Elle' }],
    ['replace', 'name.givenName', 'E', { name: { givenName: 'E', familyName: 'Entra' } }],
    ['replace', 'name', { givenName: 'E' }, { name: { givenName: 'E', familyName: 'Entra' } }],
    ['replace', 'name', { givenName: null }, { name: { familyName: 'Entra' } }],
    ['remove', 'name.givenName', undefined, { name: { familyName: 'Entra' } }],
    ['remove', 'name', undefined, { name: undefined }],
    ['replace', 'name', null, { name: undefined }],
    [
      'replace',
      'emails[type eq "work"].value',
      'e@x.test',
      {
        emails: [
          { type: 'work', value: 'e@x.test', primary: true },
          { type: 'home', value: 'ella@home.test' },
        ],
      },
    ],
    [
      'Add',
      'emails[type eq "other"].value',
      'e@x.test',
      {
        emails: [
          { type: 'work', value: 'ella@example.test', primary: true },
          { type: 'home', value: 'ella@home.test' },
          { type: 'other', value: 'e@x.test' },
        ],
      },
    ],
    [
      'replace',
      'emails[type eq "home"]',
      { value: 'h@x.test' },
      {
        emails: [
          { type: 'work', value: 'ella@example.test', primary: true },
          { type: 'home', value: 'h@x.test' },
        ],
      },
    ],
    [
      'remove',
      'emails[type eq "home"]',
      undefined,
      { emails: [{ type: 'work', value: 'ella@example.test', primary: true }] },
    ],
    [
      'remove',
      'emails[type eq "work" and value ew "example.test"]',
      undefined,
      { emails: [{ type: 'home', value: 'ella@home.test' }] },
    ],
    ['remove', 'emails', undefined, { emails: undefined }],
    [
      'Remove',
      'emails',
      [{ value: 'ELLA@home.test' }],
      { emails: [{ type: 'work', value: 'ella@example.test', primary: true }] },
    ],
    [
      'Remove',
      'emails',
      [],
      {
        emails: [
          { type: 'work', value: 'ella@example.test', primary: true },
          { type: 'home', value: 'ella@home.test' },
        ],
      },
    ],
    ['replace', 'emails', [{ value: 'only@x.test' }], { emails: [{ value: 'only@x.test' }] }],
    [
      'add',
      'emails',
      [{ type: 'other', value: 'o@x.test', primary: true }],
      {
        emails: [
          { type: 'work', value: 'ella@example.test', primary: false },
          { type: 'home', value: 'ella@home.test' },
          { type: 'other', value: 'o@x.test', primary: true },
        ],
      },
    ],
    ['add', 'emails', { value: 'ella@home.test', type: 'home' }, {}],
    ['add', 'emails', { type: 'home', value: 'ella@home.test' }, {}],
    [
      'replace',
      'emails[type eq "home"].primary',
      'True',
      {
        emails: [
          { type: 'work', value: 'ella@example.test', primary: false },
          { type: 'home', value: 'ella@home.test', primary: true },
        ],
      },
    ],
    ['add', 'roles[primary eq "True"].value', 'Admin', { roles: [{ value: 'Admin', primary: true }] }],
    [
      'Replace',
      'addresses[type eq "work"].formatted',
      '1 Harbour St',
      { addresses: [{ formatted: '1 Harbour St', type: 'work' }] },
    ],
    [
      'add',
      'emails.type',
      'x',
      {
        emails: [
          { type: 'x', value: 'ella@example.test', primary: true },
          { type: 'x', value: 'ella@home.test' },
        ],
      },
    ],
    ['replace', `${ENTERPRISE}:department`, 'Art', { [ENTERPRISE]: { department: 'Art', manager: { value: 'boss' } } }],
    ['Add', `${ENTERPRISE}:manager`, 'boss2', { [ENTERPRISE]: { department: 'Design', manager: { value: 'boss2' } } }],
    [
      'Add',
      `${ENTERPRISE}:manager`,
      [{ $ref: '../Users/boss3', value: 'boss3' }],
      { [ENTERPRISE]: { department: 'Design', manager: { value: 'boss3' } } },
    ],
    ['replace', 'department', 'Art', { [ENTERPRISE]: { department: 'Art', manager: { value: 'boss' } } }],
    ['Add', 'manager', 'boss2', { [ENTERPRISE]: { department: 'Design', manager: { value: 'boss2' } } }],
    ['Replace', 'Manager.Value', 'boss2', { [ENTERPRISE]: { department: 'Design', manager: { value: 'boss2' } } }],
    ['add', 'manager', { value: 'boss2' }, { [ENTERPRISE]: { department: 'Design', manager: { value: 'boss2' } } }],
    ['remove', 'manager', undefined, { [ENTERPRISE]: { department: 'Design' } }],
    ['remove', `${ENTERPRISE}:manager`, undefined, { [ENTERPRISE]: { department: 'Design' } }],
    ['remove', `${ENTERPRISE}:manager.value`, undefined, { [ENTERPRISE]: { department: 'Design' } }],
    ['remove', ENTERPRISE, undefined, { [ENTERPRISE]: undefined }],
    [
      'replace',
      ENTERPRISE,
      { costCenter: '7' },
      { [ENTERPRISE]: { costCenter: '7', department: 'Design', manager: { value: 'boss' } } },
    ],
    ['add', 'urn:example:custom:2.0:User:shoeSize', '44', {}],
    ['add', 'shoeSize', '44', {}],
    ['add', 'password', 'hunter2', {}],
  ])('applies %s %s %j', (op, path, value, changes) => {
    const before = createUser();
    const after = applyPatch(before, { op, path, ...(value !== undefined && { value }) });
    expect(after).toEqual({
      ...before,
      attributes: Object.fromEntries(
        Object.entries({ ...before.attributes, ...changes }).filter(([, held]) => held !== undefined),
      ),
    });
    expect(before).toEqual(createUser());
  });

  it.each([
    [{ op: 'Replace', path: 'active', value: 'False' }],
    [{ op: 'replace', path: 'active', value: false }],
    [{ op: 'replace', value: { active: false } }],
    [{ op: 'Replace', value: { Active: 'false' } }],
    [{ op: 'add', value: { [`${USER_SCHEMA}:active`]: 'FALSE' } }],
  ])('deactivates the user with %j', (operation) => {
    expect(applyPatch(createUser(), operation).active).toBe(false);
    expect(
      applyPatch(createUser({ active: false }), operation, { op: 'replace', path: 'active', value: 'True' }).active,
    ).toBe(true);
  });

  it('deactivates the user on removal of active, until active is set again', () => {
    const without = applyPatch(createUser(), { op: 'remove', path: 'active' });
    expect(without).toMatchObject({ active: false, attributes: { active: null } });
    expect(applyPatch(without, { op: 'replace', path: 'title', value: 'x' })).toMatchObject({
      active: false,
      attributes: { active: null },
    });
    expect(applyPatch(without, { op: 'add', path: 'active', value: true })).toEqual(createUser());
  });

  it.each([
    { path: `${ENTERPRISE}:manager`, value: 'boss4' },
    { path: 'manager', value: { value: 'boss4', $ref: 'https://elsewhere.test/boss4' } },
    { value: { [`${ENTERPRISE}:manager`]: 'boss4' } },
    { value: { manager: 'boss4' } },
    { value: { 'manager.value': 'boss4' } },
  ])('changes the manager with %j and keeps no reference of the client', (change) => {
    const before = createUser({ [ENTERPRISE]: { manager: { value: 'boss' } } });
    expect(applyPatch(before, { op: 'replace', ...change }).attributes[ENTERPRISE]).toEqual({
      manager: { value: 'boss4' },
    });
  });

  it('refuses to set the reference to the manager', () => {
    expect(() =>
      applyPatch(createUser(), { op: 'replace', path: 'manager.$ref', value: 'https://elsewhere.test/x' }),
    ).toThrow(expect.objectContaining({ scimType: 'mutability' }));
  });

  it('accepts many attributes in one value with dots and URNs', () => {
    const after = applyPatch(createUser(), {
      op: 'replace',
      value: {
        displayName: 'Ella E',
        externalId: 'e2',
        userName: 'ella2@example.test',
        'name.givenName': 'El',
        [`${ENTERPRISE}:employeeNumber`]: '43',
        [ENTERPRISE]: { division: 'North', manager: 'boss9' },
        'emails[type eq "work"].value': 'w@x.test',
        id: 'ignored',
        meta: { created: 'ignored' },
        groups: [],
        shoeSize: '44',
      },
    });
    expect(after).toMatchObject({
      user_name: 'ella2@example.test',
      external_id: 'e2',
      attributes: {
        displayName: 'Ella E',
        name: { givenName: 'El', familyName: 'Entra' },
        [ENTERPRISE]: { employeeNumber: '43', division: 'North', department: 'Design', manager: { value: 'boss9' } },
      },
    });
    expect(JSON.stringify(after)).not.toMatch(/ignored|shoeSize/);
    expect(after.attributes['emails']).toContainEqual({ type: 'work', value: 'w@x.test', primary: true });
  });

  it.each([
    ['400 noTarget', { op: 'remove' }],
    ['400 noTarget', { op: 'remove', path: 'emails[type eq "fax"]' }],
    ['400 noTarget', { op: 'replace', path: 'emails[value co "unknown"].type', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: 'emails[type eq "work".value', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: 'emails[nope eq "work"].value', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: 'name[givenName eq "x"].familyName', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: 'name..givenName', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: '/name/givenName', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: '__proto__.active', value: 'x' }],
    ['400 invalidPath', { op: 'replace', path: 7, value: 'x' }],
    ['400 mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['400 mutability', { op: 'replace', path: 'meta.created', value: '2020-01-01T00:00:00Z' }],
    ['400 mutability', { op: 'add', path: 'groups', value: [{ value: 'x' }] }],
    ['400 mutability', { op: 'replace', path: `${ENTERPRISE}:manager.displayName`, value: 'x' }],
    ['400 mutability', { op: 'remove', path: 'userName' }],
    ['400 invalidValue', { op: 'replace', path: 'active', value: 'maybe' }],
    ['400 invalidValue', { op: 'replace', path: 'userName', value: '' }],
    ['400 invalidValue', { op: 'replace', path: 'nickName', value: 7 }],
    ['400 invalidValue', { op: 'replace', path: 'nickName', value: 'a\u0007b' }],
    ['400 invalidValue', { op: 'replace', path: 'nickName', value: 'a'.repeat(1_025) }],
    [
      '400 invalidValue',
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
    ],
    [
      '400 invalidValue',
      { op: 'replace', path: 'emails', value: Array.from({ length: 101 }, (_, index) => ({ value: `${index}` })) },
    ],
    ['400 invalidValue', { op: 'replace', value: 'x' }],
    ['400 invalidValue', { op: 'add', path: 'nickName' }],
    ['400 invalidSyntax', { op: 'move', path: 'nickName', value: 'x' }],
    ['400 invalidSyntax', { op: 'add', OP: 'remove', path: 'nickName', value: 'x' }],
    ['400 invalidSyntax', { op: 'add', path: 'name', value: { givenName: 'x', GIVENNAME: 'y' } }],
    ['400 invalidSyntax', 'add'],
  ])('answers %s to %j', (response, operation) => {
    expect(getRefusal(operation)).toBe(response);
  });

  it('recognizes an existing element with its parts in another order', () => {
    const stored = createUser();
    const reordered = {
      ...stored,
      attributes: { ...stored.attributes, emails: [{ type: 'home', value: 'ella@home.test' }] },
    };
    const after = applyPatch(reordered, {
      op: 'add',
      path: 'emails',
      value: [{ value: 'ella@home.test', type: 'home' }],
    });
    expect(after).toEqual(reordered);
  });

  it('applies no operation if one is invalid', () => {
    const before = createUser();
    expect(() => applyPatch(before, { op: 'add', path: 'nickName', value: 'x' }, { op: 'remove' })).toThrow(ScimError);
    expect(before).toEqual(createUser());
  });

  it('is limited to a thousand operations', () => {
    const one = { op: 'add', path: 'nickName', value: 'x' };
    expect(getRefusal(...Array.from({ length: 10_000 }, () => one))).toBe('413 ');
    expect(getRefusal(...Array.from({ length: 1_000 }, () => one))).toBeUndefined();
  });

  it('must be a PatchOp message with operations', () => {
    expect(() => readPatch({ schemas: [], Operations: [{ op: 'add', path: 'title', value: 'x' }] })).toThrow(/PatchOp/);
    expect(() => readPatch({ schemas: [MESSAGE], Operations: [] })).toThrow(/at least one/);
    expect(() => readPatch([])).toThrow(/JSON object/);
  });

  it('does not change prototypes', () => {
    const operations: unknown = JSON.parse(
      '[{"op":"add","value":{"__proto__":{"active":false},"constructor":{"prototype":{"x":1}},"name":{"__proto__":{"y":1},"givenName":"G"}}},{"op":"add","path":"constructor.prototype","value":"1"}]',
    );
    const after = patchUser(createUser(), readPatch({ schemas: [MESSAGE], Operations: operations }));
    expect(after.active).toBe(true);
    expect(Object.getPrototypeOf(after.attributes['name'])).toBe(Object.prototype);
    expect(({} as JsonObject)['x'] ?? ({} as JsonObject)['y']).toBeUndefined();
  });
});

const texts = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 });
const element = fc.record(
  { value: texts, type: fc.constantFrom('work', 'home', 'other'), primary: fc.boolean() },
  { requiredKeys: ['value'] },
);
const operation = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'Replace'),
    path: fc.constantFrom('emails', 'phoneNumbers'),
    value: fc.array(element, { maxLength: 3 }),
  }),
  fc.record({
    op: fc.constantFrom('Add', 'replace'),
    path: fc.constantFrom(
      'emails[type eq "work"].value',
      'emails[primary eq true].type',
      'title',
      'name.givenName',
      `${ENTERPRISE}:manager`,
      `${ENTERPRISE}:costCenter`,
    ),
    value: texts,
  }),
  fc.record({
    op: fc.constantFrom('remove', 'REMOVE'),
    path: fc.constantFrom('emails', 'title', 'name', 'name.familyName', 'emails[type eq "home"]', ENTERPRISE),
  }),
  fc.record({
    op: fc.constant('replace'),
    value: fc.record(
      { active: fc.constantFrom(true, 'False'), 'name.familyName': texts, title: texts },
      { requiredKeys: [] },
    ),
  }),
);

describe('an expensive PATCH', () => {
  const many = Array.from({ length: 101 }, (_, at) => `${at}@example.test`);
  const long = `emails[${Array.from({ length: 150 }, (_, at) => `value co "${at}"`).join(' or ')}].display`;

  it.each(['add', 'replace', 'remove'])('is refused if it contains more elements to %s than a list may have', (op) => {
    expect(getRefusal({ op, path: 'emails', value: many })).toBe('400 invalidValue');
  });

  it('is refused if its filters are too long in total, in paths or in keys', () => {
    const operations = Array.from({ length: 60 }, () => ({ op: 'replace', path: long, value: 'x' }));
    const keys = Object.fromEntries(operations.map((_, at) => [long.replace('"0"', `"${1_000 + at}"`), 'x']));
    expect(getRefusal(...operations)).toBe('413 ');
    expect(getRefusal({ op: 'replace', value: keys })).toBe('413 ');
  });

  it('does not include a thousand operations with usual paths', () => {
    const path = `${USER_SCHEMA}:emails[type eq "work"].display`;
    expect(getRefusal(...Array.from({ length: 1_000 }, (_, at) => ({ op: 'Replace', path, value: `${at}` })))).toBe(
      undefined,
    );
  });
});

describe('a PATCH with a new primary element', () => {
  it('leaves no duplicate of the element that was primary before', () => {
    const emails = [
      { value: 'a@example.test', type: 'work', primary: true },
      { value: 'a@example.test', type: 'work', primary: false },
    ];
    const { attributes } = applyPatch(
      createUser(),
      { op: 'replace', path: 'emails', value: emails },
      { op: 'add', path: 'emails', value: [{ value: 'b@example.test', primary: true }] },
    );
    expect(attributes['emails']).toEqual([emails[1], { value: 'b@example.test', primary: true }]);
  });
});

describe('any PATCH', () => {
  it('results in a valid user with at most one primary element in each list', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 8 }), (operations) => {
        let after: UserInput;
        try {
          after = applyPatch(createUser(), ...operations);
        } catch (error) {
          if (!(error instanceof ScimError)) throw error;
          expect(error.status).toBe(400);
          expect(['noTarget', 'invalidValue']).toContain(error.scimType);
          return;
        }
        const { user_name: userName, external_id: externalId, active, attributes } = after;
        expect(readUser({ schemas: [USER_SCHEMA], userName, externalId, active, ...attributes })).toEqual(after);
      }),
      { numRuns: 400 * effort },
    );
  });

  it('is idempotent if it replaces', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
        const replacing = operations.filter(({ op }) => op.toLowerCase() === 'replace');
        fc.pre(replacing.length > 0);
        let once: UserInput;
        try {
          once = applyPatch(createUser(), ...replacing.slice(0, 1));
        } catch {
          return;
        }
        expect(applyPatch(once, ...replacing.slice(0, 1))).toEqual(once);
      }),
    );
  });
});
