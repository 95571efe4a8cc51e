import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { trackRequirements } from './scim-conformance.ts';
import {
  GROUP,
  makeScimToken,
  createGroupBody,
  createUserBody,
  patch,
  type ScimResponse,
  type ScimClient,
  createScimClient,
  USER,
} from './scim-scene.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A user with every attribute. */
const createWholeUser = () => ({
  userName: `whole-${randomUUID()}@example.test`,
  externalId: 'Ext-ID 1',
  name: {
    formatted: 'Ms. Barbara J Jensen, III',
    familyName: 'Jensen',
    givenName: 'Barbara',
    middleName: 'Jane',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.test/bjensen',
  title: 'Tour Guide',
  userType: 'Employee',
  preferredLanguage: 'en-US',
  locale: 'en-US',
  timezone: 'America/Los_Angeles',
  active: true,
  emails: [
    { value: 'bjensen@example.test', display: 'Work', type: 'work', primary: true },
    { value: 'babs@home.test', type: 'home' },
  ],
  phoneNumbers: [{ value: 'tel:+1-201-555-0123', type: 'work' }],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [{ value: 'https://photos.example.test/1/F', type: 'photo' }],
  addresses: [
    {
      formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'US',
      type: 'work',
      primary: true,
    },
  ],
  entitlements: [{ value: 'entitled' }],
  roles: [{ value: 'guide', display: 'Guide', type: 'x', primary: false }],
  x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMCVVM=' }],
  [ENTERPRISE]: {
    employeeNumber: '701984',
    costCenter: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Tour Operations',
    manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d', $ref: '../Users/26118915-6090-4610-87e4-49d8ca9f808d' },
  },
});

describe('SCIM: resources', () => {
  const { verify, checkComplete } = trackRequirements('resources');
  let manager: TestManager;
  let scim: ScimClient;

  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
  });
  afterAll(() => manager.close());

  const create = async (more: object = {}) => {
    const response = await scim('POST', '/Users', createUserBody(more));
    expect(response.status).toBe(201);
    return response.body;
  };
  const group = async (more: object = {}) => {
    const response = await scim('POST', '/Groups', createGroupBody(more));
    expect(response.status).toBe(201);
    return response.body;
  };
  const expectRefusal = ({ status, body }: ScimResponse<unknown>, expected: string, detail = /./): void => {
    const { scimType, detail: sentence } = body as { scimType?: string; detail: string };
    expect(`${status} ${scimType ?? ''}`.trim()).toBe(expected);
    expect(sentence).toMatch(detail);
  };

  verify(['create:201', 'create:id', 'create:meta'], 'a POST answers with the resource and its location', async () => {
    for (const [path, body] of [
      ['/Users', createUserBody()],
      ['/Groups', createGroupBody()],
    ] as const) {
      const forged = { ...body, id: 'mine', meta: { created: '2001-01-01T00:00:00Z', version: 'mine' } };
      const response = await scim('POST', path, forged);
      expect(response.status).toBe(201);
      const { id, meta } = response.body;
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('location')).toBe(meta.location);
      expect(meta.location).toMatch(new RegExp(`/scim/local/v2${path}/${id}$`));
      expect(meta.resourceType).toBe(path === '/Users' ? 'User' : 'Group');
      expect(Date.parse(meta.created)).toBeGreaterThan(Date.parse('2020-01-01'));
      expect(meta.lastModified).toBe(meta.created);
      expect((await scim('PUT', `${path}/${id}`, { ...forged, id: 'other' })).body.id).toBe(id);
    }
  });

  verify(['create:uniqueness'], 'a taken name is refused', async () => {
    const user = await create();
    expectRefusal(
      await scim('POST', '/Users', createUserBody({ userName: user.userName.toUpperCase() })),
      '409 uniqueness',
      /userName/,
    );
    const { displayName } = await group();
    expectRefusal(
      await scim('POST', '/Groups', createGroupBody({ displayName: displayName.toUpperCase() })),
      '409 uniqueness',
      /displayName/,
    );
    const other = await create();
    expectRefusal(
      await scim('PUT', `/Users/${other.id}`, createUserBody({ userName: user.userName })),
      '409 uniqueness',
    );
  });

  verify(['create:required', 'group:name'], 'a missing name is refused', async () => {
    expectRefusal(await scim('POST', '/Users', { schemas: [USER], displayName: 'x' }), '400 invalidValue', /userName/);
    expectRefusal(
      await scim('POST', '/Groups', { schemas: [GROUP], externalId: 'x' }),
      '400 invalidValue',
      /displayName/,
    );
  });

  verify(
    ['create:schemas', 'create:syntax'],
    'a body without its schema or without valid JSON is refused',
    async () => {
      expectRefusal(await scim('POST', '/Users', { userName: 'x' }), '400 invalidSyntax', /schemas/);
      expectRefusal(await scim('POST', '/Users', { schemas: [GROUP], userName: 'x' }), '400 invalidSyntax', /schemas/);
      expectRefusal(await scim('POST', '/Users', '{"schemas": ['), '400 invalidSyntax');
      expectRefusal(await scim('POST', '/Users', '[]'), '400 invalidSyntax');
    },
  );

  verify(['attributes:case'], 'attribute names ignore case', async () => {
    const { body } = await scim('POST', '/Users', {
      SCHEMAS: [USER],
      USERNAME: `case-${randomUUID()}`,
      NAME: { GIVENNAME: 'C' },
      Emails: [{ VALUE: 'c@x.test' }],
    });
    expect(body).toMatchObject({
      userName: expect.stringMatching(/^case-/),
      name: { givenName: 'C' },
      emails: [{ value: 'c@x.test' }],
    });
  });

  verify(['attributes:unassigned'], 'null and empty lists count as unassigned', async () => {
    const body = await create({ title: null, emails: [], nickName: 'n' });
    expect(body).toMatchObject({ nickName: 'n' });
    expect(Object.keys(body)).not.toContain('title');
    expect(Object.keys(body)).not.toContain('emails');
  });

  verify(['attributes:types'], 'a value of a wrong type is refused with the name of the attribute', async () => {
    expectRefusal(await scim('POST', '/Users', createUserBody({ title: 7 })), '400 invalidValue', /title/);
    expectRefusal(await scim('POST', '/Users', createUserBody({ name: 'x' })), '400 invalidValue', /name/);
    expectRefusal(await scim('POST', '/Users', createUserBody({ active: 'perhaps' })), '400 invalidValue', /active/);
    expectRefusal(
      await scim('POST', '/Users', createUserBody({ emails: [{ value: {} }] })),
      '400 invalidValue',
      /emails\.value/,
    );
    expectRefusal(
      await scim('POST', '/Groups', createGroupBody({ members: [{ value: 7 }] })),
      '400 invalidValue',
      /members/,
    );
  });

  verify(['attributes:all', 'attributes:external-id'], 'every attribute is returned as it was sent', async () => {
    const sent = createWholeUser();
    const { manager: boss, ...extended } = sent[ENTERPRISE];
    const made = await scim('POST', '/Users', { schemas: [USER, ENTERPRISE], ...sent });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      ...sent,
      // The manager is not a user here, and the service ignores the client's reference.
      [ENTERPRISE]: { ...extended, manager: { value: boss.value } },
      schemas: [USER, ENTERPRISE],
      id: made.body.id,
      meta: made.body.meta,
      groups: [],
    });
    expect((await scim('GET', `/Users/${made.body.id}`)).body).toEqual(made.body);
    const changed = await scim(
      'PATCH',
      `/Users/${made.body.id}`,
      patch({ op: 'replace', path: 'externalId', value: 'EXT-id 2' }),
    );
    expect(changed.body).toMatchObject({ id: made.body.id, externalId: 'EXT-id 2' });
  });

  verify(
    ['attributes:unknown', 'attributes:read-only', 'attributes:password'],
    'unknown and readOnly attributes and passwords are ignored',
    async () => {
      const secret = `Hunter-${randomUUID()}`;
      const body = await create({
        shoeSize: 44,
        password: secret,
        groups: [{ value: 'x' }],
        'urn:example:2.0:Custom': { a: 1 },
      });
      expect(body).toMatchObject({ groups: [] });
      const read = await scim('GET', `/Users/${body.id}?attributes=password,shoeSize,userName`);
      expect(JSON.stringify([body, read.body])).not.toMatch(new RegExp(`shoeSize|example:2\\.0|${secret}`));
      expect(JSON.stringify(await manager.sql('SELECT * FROM users WHERE id = $1', [body.id]))).not.toContain(secret);
      await scim('PATCH', `/Users/${body.id}`, patch({ op: 'replace', path: 'password', value: secret }));
      expect(JSON.stringify(await manager.sql('SELECT * FROM users WHERE id = $1', [body.id]))).not.toContain(secret);
    },
  );

  verify(['attributes:primary'], 'two primary elements are refused', async () => {
    const emails = [
      { value: 'a@x.test', primary: true },
      { value: 'b@x.test', primary: true },
    ];
    expectRefusal(await scim('POST', '/Users', createUserBody({ emails })), '400 invalidValue', /primary/);
  });

  verify(['user:groups', 'group:members', 'group:display'], 'memberships appear in users and in groups', async () => {
    const user = await create({ displayName: 'Ana' });
    const inner = await group({ members: [{ value: user.id }] });
    const outer = await group({ members: [{ value: inner.id, type: 'Group' }] });
    expect(inner.members).toEqual([{ value: user.id, $ref: user.meta.location, type: 'User' }]);
    expect(outer.members).toEqual([{ value: inner.id, $ref: inner.meta.location, type: 'Group' }]);
    const shown = await scim('GET', `/Groups/${inner.id}?attributes=members.display,members.value`);
    expect(shown.body.members).toEqual([{ value: user.id, display: 'Ana' }]);
    const { groups } = (await scim('GET', `/Users/${user.id}`)).body;
    expect(groups).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          value: inner.id,
          type: 'direct',
          $ref: inner.meta.location,
          display: inner.displayName,
        }),
        expect.objectContaining({ value: outer.id, type: 'indirect' }),
      ]),
    );
    const put = await scim('PUT', `/Users/${user.id}`, createUserBody({ userName: user.userName, groups: [] }));
    expect(put.body.groups).toHaveLength(2);
  });

  verify(['read:one', 'put:no-create'], 'an id that does not exist returns 404', async () => {
    const { id } = await create();
    expect((await scim('GET', `/Users/${id}`)).body.id).toBe(id);
    for (const path of [`/Users/${randomUUID()}`, '/Users/010101001010101011001010101011', `/Groups/${id}`]) {
      expectRefusal(await scim('GET', path), '404');
      expectRefusal(await scim('PUT', path, path.startsWith('/Users') ? createUserBody() : createGroupBody()), '404');
      expectRefusal(await scim('DELETE', path), '404');
    }
  });

  verify(['put:replaces'], 'a PUT replaces all attributes', async () => {
    const user = await create({
      title: 'x',
      emails: [{ value: 'a@x.test' }],
      externalId: 'e',
      [ENTERPRISE]: { department: 'd' },
    });
    const put = await scim('PUT', `/Users/${user.id}`, createUserBody({ userName: user.userName, nickName: 'n' }));
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ id: user.id, userName: user.userName, nickName: 'n', schemas: [USER] });
    for (const name of ['title', 'emails', 'externalId', ENTERPRISE]) expect(Object.keys(put.body)).not.toContain(name);
    const held = await group({ externalId: 'g', members: [{ value: user.id }] });
    const emptied = await scim('PUT', `/Groups/${held.id}`, createGroupBody({ displayName: held.displayName }));
    expect(emptied.body).toMatchObject({ displayName: held.displayName, members: [] });
    expect(Object.keys(emptied.body)).not.toContain('externalId');
  });

  verify(['delete:204', 'delete:name-free'], 'a deleted resource returns 404, and its name is free', async () => {
    const user = await create();
    const held = await group({ members: [{ value: user.id }] });
    for (const path of [`/Users/${user.id}`, `/Groups/${held.id}`]) {
      const gone = await scim('DELETE', path);
      expect([gone.status, gone.text]).toEqual([204, '']);
      expectRefusal(await scim('GET', path), '404');
      expectRefusal(await scim('DELETE', path), '404');
    }
    const list = await scim<{ totalResults: number }>(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${user.userName}"`)}`,
    );
    expect(list.body.totalResults).toBe(0);
    expect((await scim('POST', '/Users', createUserBody({ userName: user.userName }))).status).toBe(201);
    expect((await scim('POST', '/Groups', createGroupBody({ displayName: held.displayName }))).status).toBe(201);
  });

  verify(
    ['etag:answers', 'etag:if-match', 'etag:if-none-match'],
    'versions prevent conflicting writes and repeated reads',
    async () => {
      const { id, meta } = await create();
      const read = await scim('GET', `/Users/${id}`);
      expect(read.headers.get('etag')).toBe(meta.version);
      expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(304);
      const change = patch({ op: 'replace', path: 'title', value: 'x' });
      const changed = await scim('PATCH', `/Users/${id}`, change, { 'if-match': meta.version });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).not.toBe(meta.version);
      expect(changed.body.meta.version).toBe(changed.headers.get('etag'));
      expect(Date.parse(changed.body.meta.lastModified)).toBeGreaterThanOrEqual(Date.parse(meta.lastModified));
      for (const [method, body] of [
        ['PATCH', change],
        ['PUT', createUserBody()],
        ['DELETE', undefined],
      ] as const)
        expectRefusal(await scim(method, `/Users/${id}`, body, { 'if-match': meta.version }), '412');
      expect((await scim('GET', `/Users/${id}`)).body.meta.version).toBe(changed.body.meta.version);
    },
  );

  checkComplete();
});
