import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDocument } from '@gatehouse/testing/contract-client';
import { GATEWAY_CLIENT, startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { PEOPLE, startManager, type TestManager } from './enterprise-manager.ts';
import { makeScimToken, createUserBody, PATCH, patch, createScimClient, type Token } from './scim-scene.ts';
import { waitForLockedStatements } from './standstill.ts';

const GONE = [403, { error: 'no active directory entry' }];
const OWN_PROFILE = 'GET /v1/me';
/** Answers with the base configuration, as for a user without a directory entry. */
const CONFIG = 'GET /api/v1beta/config';
const ROLES = { root: ['admin'], inspector: ['auditor'], alice: [] } as const;
type Name = keyof typeof ROLES;

/** Every operation that users call with an access token, with its allowed roles. */
const operations = Object.entries(readDocument('enterprise-manager').paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { 'x-roles'?: string[] }>).flatMap(([method, { 'x-roles': roles = [] }]) => {
    const isForPeople = roles.length > 0 && !roles.includes('gateway');
    return isForPeople ? [{ operation: `${method.toUpperCase()} ${path}`, roles }] : [];
  }),
);
const canOpen = (name: Name, roles: readonly string[]) =>
  roles.includes('user') || roles.includes('any') || ROLES[name].some((role) => roles.includes(role));

describe('a user with an inactive directory entry', () => {
  let manager: TestManager;
  let tokens: Record<Name, string>;
  beforeAll(async () => {
    const more = ['root', 'inspector'].map((subject) => ({ subject, user_name: subject, display_name: subject }));
    manager = await startManager({ people: [...PEOPLE, ...more] });
    const made = Object.entries(ROLES).map(
      async ([subject, roles]) => [subject, await manager.issuer.token({ subject, roles: [...roles] })] as const,
    );
    tokens = Object.fromEntries(await Promise.all(made)) as typeof tokens;
  }, 60_000);
  afterAll(() => manager.close());

  const setActive = (subject: string, active: boolean) =>
    manager.sql('UPDATE users SET active = $2 WHERE subject = $1', [subject, active]);
  const call = async (operation: string, token: string, more: object = {}) => {
    const path = Object.fromEntries([...operation.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, randomUUID()]));
    const { status, body } = await manager.client.call(operation, { token, path, ...more });
    return [status, body];
  };
  /** Polls for 1 s, the promised maximum delay. */
  const pollFor1s = async (operation: string, token: string, isExpected: (status: unknown) => boolean) => {
    const end = Date.now() + 1_000;
    for (;;) {
      const [status] = await call(operation, token);
      if (isExpected(status)) return;
      if (Date.now() > end) throw new Error(`${operation} still answers ${String(status)} after 1 s`);
      await sleep(50);
    }
  };

  it.each(Object.keys(ROLES) as Name[])(
    'has no role as %s on any route except those of the own profile and configuration',
    async (name) => {
      const own = operations.filter(({ roles }) => canOpen(name, roles)).map(({ operation }) => operation);
      expect(own.length).toBeGreaterThan(15);
      const [first = ''] = own.filter(
        (operation) => operation.startsWith('GET') && ![OWN_PROFILE, CONFIG].includes(operation),
      );
      expect((await call(first, tokens[name]))[0]).not.toBe(403);
      await setActive(name, false);
      try {
        await sleep(1_000);
        for (const operation of own.filter((one) => one !== OWN_PROFILE && one !== CONFIG))
          expect([operation, ...(await call(operation, tokens[name]))]).toEqual([operation, ...GONE]);
        const profile = await call(OWN_PROFILE, tokens[name]);
        expect(profile).toMatchObject([200, { subject: name, active: false, groups: [] }]);
      } finally {
        await setActive(name, true);
      }
      await pollFor1s(first, tokens[name], (status) => status !== 403);
    },
  );

  it('cannot create a credential that restores access', async () => {
    const before = await makeScimToken({ ...manager, tokens: { ...manager.tokens, admin: tokens.root } });
    await setActive('root', false);
    try {
      await pollFor1s('GET /v1/groups', tokens.root, (status) => status === 403);
      const body = { issuer_id: 'local', name: 'Back again' };
      expect(await call('POST /v1/scim-tokens', tokens.root, { body })).toEqual(GONE);
      const id = await manager.findUserId('root');
      const scim = createScimClient(manager, before.secret);
      const activate = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: true }] };
      const rename = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'externalId', value: 'other-subject' }] };
      const tries = [
        scim('PATCH', `/Users/${id}`, activate),
        scim('PATCH', `/Users/${id}`, rename),
        scim('PUT', `/Users/${id}`, createUserBody({ userName: 'root', externalId: 'root', active: true })),
        scim('DELETE', `/Users/${id}`),
      ];
      for (const response of await Promise.all(tries)) expect(response.status).toBe(403);
      const again = await scim('POST', '/Users', createUserBody({ userName: 'root', externalId: 'root' }));
      expect([403, 409]).toContain(again.status);
      const deactivate = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] };
      expect((await scim('PATCH', `/Users/${id}`, deactivate)).status).toBe(200);
      const other = await makeScimToken(manager);
      expect((await createScimClient(manager, other.secret)('PATCH', `/Users/${id}`, activate)).status).toBe(200);
    } finally {
      await setActive('root', true);
    }
  });

  it('keeps no role after removal and cannot recreate the entry with an own SCIM token', async () => {
    const made = await makeScimToken(manager);
    const scim = createScimClient(manager, made.secret);
    const subject = `leaver ${randomUUID()}`;
    const user = (await scim('POST', '/Users', createUserBody({ externalId: subject }))).body;
    const leaver = await manager.issuer.token({ subject, roles: ['admin'] });
    const own = await makeScimToken({ ...manager, tokens: { ...manager.tokens, admin: leaver } });
    expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(204);
    await pollFor1s('GET /v1/groups', leaver, (status) => status === 403);
    const again = createUserBody({ externalId: subject });
    expect((await createScimClient(manager, own.secret)('POST', '/Users', again)).status).toBe(403);
    expect((await scim('POST', '/Users', again)).status).toBe(201);
    await pollFor1s('GET /v1/groups', leaver, (status) => status === 200);
  });

  it('cannot restore access with a secret of a SCIM token that the user created or rotated', async () => {
    const asRoot = { ...manager, tokens: { ...manager.tokens, admin: tokens.root } };
    const rotate = async (id: string, token: string) =>
      (await manager.client.call<Token>('POST /v1/scim-tokens/{id}/rotate', { token, path: { id } })).body.secret;
    const [byOther, byRoot] = await Promise.all([makeScimToken(manager), makeScimToken(asRoot)]);
    const secrets = [
      await rotate(byOther.id, tokens.root),
      await rotate(byRoot.id, manager.tokens.admin),
      byRoot.secret,
    ];
    const id = await manager.findUserId('root');
    const activate = patch({ op: 'replace', path: 'active', value: true });
    await setActive('root', false);
    try {
      for (const secret of secrets)
        expect((await createScimClient(manager, secret)('PATCH', `/Users/${id}`, activate)).status).toBe(403);
      const other = await makeScimToken(manager);
      expect((await createScimClient(manager, other.secret)('PATCH', `/Users/${id}`, activate)).status).toBe(200);
      // An active holder of a secret can be updated like every other user.
      const rename = patch({ op: 'replace', path: 'displayName', value: 'Root again' });
      expect((await createScimClient(manager, secrets[0] ?? '')('PATCH', `/Users/${id}`, rename)).status).toBe(200);
    } finally {
      await setActive('root', true);
    }
  });

  it.each([
    ['a SCIM token that is created', 'deactivated', 'UPDATE users SET active = FALSE WHERE id = $1'],
    ['a SCIM token that is created', 'removed', 'DELETE FROM users WHERE id = $1'],
    ['a SCIM token that is rotated', 'deactivated', 'UPDATE users SET active = FALSE WHERE id = $1'],
    ['a SCIM token that is rotated', 'removed', 'DELETE FROM users WHERE id = $1'],
  ])('receives no secret of %s at the moment when the user is %s', async (what, _, leave) => {
    const made = await makeScimToken(manager);
    const subject = `leaver ${randomUUID()}`;
    const { body: user } = await createScimClient(manager, made.secret)(
      'POST',
      '/Users',
      createUserBody({ externalId: subject }),
    );
    const leaver = await manager.issuer.token({ subject, roles: ['admin'] });
    expect((await call('GET /v1/groups', leaver))[0]).toBe(200);
    const body = { issuer_id: 'local', name: 'In the last moment' };
    const createSecret = () =>
      what.endsWith('created')
        ? call('POST /v1/scim-tokens', leaver, { body })
        : call('POST /v1/scim-tokens/{id}/rotate', leaver, { path: { id: made.id } });
    const other = new pg.Client({ connectionString: manager.database.adminUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(leave, [user.id]);
      const creation = createSecret();
      await Promise.race([creation, waitForLockedStatements(manager, 'FROM users')]);
      await other.query('COMMIT');
      expect(await creation).toEqual(GONE);
    } finally {
      await other.end();
    }
    const held = 'SELECT FROM scim_token_holders WHERE subject = $1';
    expect(await manager.sql(held, [subject])).toEqual([]);
    expect((await createScimClient(manager, made.secret)('GET', '/Users?count=0')).status).toBe(200);
  });

  it('cannot use another entry after the own entry was removed', async () => {
    const made = await makeScimToken(manager);
    const scim = createScimClient(manager, made.secret);
    const subject = `leaver ${randomUUID()}`;
    const user = (await scim('POST', '/Users', createUserBody({ externalId: subject }))).body;
    const leaver = await manager.issuer.token({ subject, roles: ['admin'] });
    const secret = (await makeScimToken({ ...manager, tokens: { ...manager.tokens, admin: leaver } })).secret;
    expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(204);
    const own = createScimClient(manager, secret);
    const other = await own('POST', '/Users', createUserBody({ externalId: `other ${randomUUID()}` }));
    expect(other.status).toBe(201);
    const rename = patch({ op: 'replace', path: 'externalId', value: subject });
    const tries = [
      own('PATCH', `/Users/${other.body.id}`, rename),
      own('PUT', `/Users/${other.body.id}`, createUserBody({ externalId: subject, active: true })),
      own('POST', '/Users', createUserBody({ externalId: subject })),
    ];
    for (const response of await Promise.all(tries)) expect(response.status).toBe(403);
    expect((await scim('PATCH', `/Users/${other.body.id}`, rename)).status).toBe(200);
  });

  it('differs from a user without an entry, whose roles come from the token', async () => {
    expect((await call('GET /v1/groups', manager.tokens.admin))[0]).toBe(200);
    expect((await call('GET /v1/audit-events', manager.tokens.auditor))[0]).toBe(200);
    expect(await call('GET /v1/keys', manager.tokens.stranger)).toEqual(GONE);
    expect((await call(OWN_PROFILE, manager.tokens.stranger))[0]).toBe(200);
  });

  it('does not block a gateway token with the same subject', async () => {
    await setActive('bob', false);
    try {
      const token = await manager.issuer.token({ subject: 'bob', roles: ['gateway'], clientId: GATEWAY_CLIENT });
      expect((await call('POST /webhooks/ping', token, { body: {} }))[0]).toBe(200);
      const both = await manager.issuer.token({ subject: 'bob', roles: ['gateway', 'admin'] });
      expect(await call('POST /webhooks/ping', both, { body: {} })).toEqual(GONE);
    } finally {
      await setActive('bob', true);
    }
  });
});

describe('a deactivated user with an email claim as binding', () => {
  let byEmail: TestIssuer;
  let manager: TestManager;
  let admin: string;
  beforeAll(async () => {
    byEmail = await startIssuer();
    manager = await startManager({
      people: [],
      environment: {
        ISSUERS: JSON.stringify([
          {
            id: 'local',
            issuer: byEmail.issuer,
            binding: { claim: 'email', attribute: 'emails' },
            roles: { claim: 'roles', values: { admin: ['admin'] } },
          },
        ]),
      },
    });
    admin = await byEmail.token({ subject: 'other-admin', email: 'other@corp.example', roles: ['admin'] });
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    await byEmail.close();
  });

  const createClient = async (token: string) => {
    const made = await makeScimToken({ ...manager, tokens: { ...manager.tokens, admin: token } });
    return createScimClient(manager, made.secret);
  };
  const createBodyWithAddress = (value: string) => createUserBody({ emails: [{ value, primary: true }] });
  /** Creates an administrator with an entry, and a SCIM token that this administrator created. */
  const provisionAdmin = async (isSignedIn: boolean) => {
    const scim = await createClient(admin);
    const [subject, email] = [randomUUID(), `${randomUUID()}@corp.example`];
    const { id } = (await scim('POST', '/Users', createBodyWithAddress(email))).body;
    const token = await byEmail.token({ subject, email: email.toUpperCase(), roles: ['admin'] });
    if (isSignedIn) expect((await manager.client.call('GET /v1/me', { token })).status).toBe(200);
    const own = await createClient(token);
    const [entry] = await manager.sql('SELECT subject FROM users WHERE id = $1', [id]);
    expect(entry).toEqual({ subject: isSignedIn ? subject : null });
    return { scim, own, id, email };
  };

  it('has no role before the first sign-in', async () => {
    const scim = await createClient(admin);
    const email = `${randomUUID()}@corp.example`;
    const { id } = (await scim('POST', '/Users', createBodyWithAddress(email))).body;
    const deactivate = patch({ op: 'replace', path: 'active', value: false });
    expect((await scim('PATCH', `/Users/${id}`, deactivate)).status).toBe(200);
    const token = await byEmail.token({ subject: randomUUID(), email, roles: ['admin'] });
    expect((await manager.client.call('GET /v1/groups', { token })).status).toBe(403);
  });

  it.each([
    ['after the first sign-in', true],
    ['before the first sign-in', false],
  ])('cannot restore access with an own SCIM token when removed %s', async (_, isSignedIn) => {
    const { scim, own, id, email } = await provisionAdmin(isSignedIn);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await own('POST', '/Users', createBodyWithAddress(email))).status).toBe(403);
    const other = await own('POST', '/Users', createBodyWithAddress(`${randomUUID()}@corp.example`));
    expect(other.status).toBe(201);
    const rename = patch({ op: 'replace', path: 'emails', value: [{ value: email, primary: true }] });
    expect((await own('PATCH', `/Users/${other.body.id}`, rename)).status).toBe(403);
    expect((await scim('POST', '/Users', createBodyWithAddress(email))).status).toBe(201);
  });

  it('cannot activate an entry without a subject with an own SCIM token', async () => {
    const { scim, own, id } = await provisionAdmin(false);
    const activate = patch({ op: 'replace', path: 'active', value: true });
    const deactivate = patch({ op: 'replace', path: 'active', value: false });
    const rename = patch({ op: 'replace', path: 'emails', value: [{ value: 'elsewhere@corp.example' }] });
    expect((await scim('PATCH', `/Users/${id}`, deactivate)).status).toBe(200);
    const tries = [
      own('PATCH', `/Users/${id}`, activate),
      own('PATCH', `/Users/${id}`, rename),
      own('DELETE', `/Users/${id}`),
    ];
    for (const response of await Promise.all(tries)) expect(response.status).toBe(403);
    expect((await scim('PATCH', `/Users/${id}`, activate)).status).toBe(200);
  });
});
