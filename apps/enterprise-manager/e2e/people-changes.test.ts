import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeUsers } from './admission-scene.ts';
import { createGatewaysSetting, startManager, type TestManager } from './enterprise-manager.ts';
import { makeScimToken, createUserBody, patch, type ScimClient, createScimClient } from './scim-scene.ts';

interface Changes {
  version: number;
  people: { issuer: string; subject: string; active: boolean }[];
  bindings: { issuer: string; claim: string; binding_key: string; active: boolean }[];
  all: boolean;
  reset: boolean;
}

describe('GET /gateway/v1/people/changes', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const requestChanges = async (query: { after?: number; wait?: number } = {}) => {
    const { status, body } = await manager.client.call<Changes>('GET /gateway/v1/people/changes', {
      token: manager.tokens.gateway,
      query,
    });
    expect(status).toBe(200);
    return body;
  };
  const setActive = (subjects: string[], active: boolean) =>
    manager.sql('UPDATE users SET active = $2 WHERE subject = ANY ($1)', [subjects, active]);
  const createChange = (subject: string, active: boolean) => ({ issuer: manager.issuer.issuer, subject, active });
  /** The version after everything that has happened. */
  const readVersion = async () => {
    let { version, people } = await requestChanges();
    while (people.length > 0) ({ version, people } = await requestChanges({ after: version, wait: 0 }));
    return version;
  };

  it('omits users that were always active', async () => {
    expect((await requestChanges()).people).toEqual([]);
  });

  it('answers a waiting service when a user is deactivated and activated again', async () => {
    const version = await readVersion();
    const waiting = requestChanges({ after: version });
    await sleep(100);
    await setActive(['alice'], false);
    const first = await waiting;
    expect(first).toMatchObject({ people: [createChange('alice', false)], all: false, reset: false });
    await setActive(['alice'], true);
    expect((await requestChanges({ after: first.version })).people).toEqual([createChange('alice', true)]);
    expect((await requestChanges()).people).toContainEqual(createChange('alice', true));
  });

  it('lists a removed user, and no user whose other attributes change', async () => {
    const [leaver = ''] = await makeUsers(manager, 1);
    const version = await readVersion();
    await manager.sql(`UPDATE users SET display_name = 'Other', version = version + 1 WHERE subject = $1`, [leaver]);
    expect((await requestChanges({ after: version, wait: 0 })).people).toEqual([]);
    await manager.sql('DELETE FROM users WHERE subject = $1', [leaver]);
    expect((await requestChanges({ after: version, wait: 0 })).people).toEqual([createChange(leaver, false)]);
  });

  it('sets all to true when memberships change', async () => {
    const version = await readVersion();
    const waiting = requestChanges({ after: version });
    const { body } = await manager.client.call<{ id: string }>('POST /v1/groups', {
      token: manager.tokens.admin,
      body: { display_name: `Group ${randomUUID()}` },
    });
    await manager.sql('INSERT INTO group_users (group_id, user_id, created_at) VALUES ($1, $2, now())', [
      body.id,
      await manager.findUserId('alice'),
    ]);
    expect(await waiting).toMatchObject({ people: [], all: true, reset: false });
  });

  it('lists many users in several responses, each user once', async () => {
    const many = await makeUsers(manager, 2_100);
    const version = await readVersion();
    await setActive(many, false);
    const seen: string[] = [];
    for (let after = version, response; (response = await requestChanges({ after, wait: 0 })).people.length > 0;) {
      expect(response.people.length).toBeLessThanOrEqual(1_000);
      seen.push(...response.people.map(({ subject }) => subject));
      after = response.version;
    }
    expect(seen.sort()).toEqual(many.sort());
  });

  it('sets reset to true for a version of another database', async () => {
    const version = await readVersion();
    expect(await requestChanges({ after: version + 1_000_000 })).toMatchObject({ people: [], all: true, reset: true });
  });

  it('answers after the wait without a change, and does not wait for the first request', async () => {
    const version = await readVersion();
    expect(await requestChanges({ after: version, wait: 1 })).toEqual({
      version,
      people: [],
      bindings: [],
      all: false,
      reset: false,
    });
    expect((await requestChanges()).version).toBeGreaterThan(0);
  });
});

describe('GET /gateway/v1/people/changes for users without a subject', () => {
  let issuer: TestIssuer;
  let manager: TestManager;
  let gateway: string;
  let scim: ScimClient;
  beforeAll(async () => {
    issuer = await startIssuer();
    const roles = { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } };
    const binding = { claim: 'email', attribute: 'emails' };
    manager = await startManager({
      people: [],
      environment: {
        ISSUERS: JSON.stringify([{ id: 'local', issuer: issuer.issuer, roles, binding }]),
        GATEWAYS: createGatewaysSetting(issuer),
      },
    });
    gateway = await issuer.token({ subject: 'connector-gateway', roles: ['gateway'] });
    const admin = await issuer.token({ subject: 'admin', roles: ['admin'] });
    scim = createScimClient(
      manager,
      (await makeScimToken({ ...manager, tokens: { ...manager.tokens, admin } })).secret,
    );
  }, 60_000);
  afterAll(async () => {
    await manager.close();
    await issuer.close();
  });

  const requestChanges = async (query: { after?: number; wait?: number } = {}) =>
    (await manager.client.call<Changes>('GET /gateway/v1/people/changes', { token: gateway, query })).body;
  const readVersion = async () => (await requestChanges()).version;
  const createBoundChange = (binding_key: string, active: boolean) => ({
    issuer: issuer.issuer,
    claim: 'email',
    binding_key,
    active,
  });
  const provision = async (more: object = {}) => {
    const email = `${randomUUID()}@corp.example`;
    const { id } = (
      await scim('POST', '/Users', createUserBody({ emails: [{ value: email, primary: true }], ...more }))
    ).body;
    return { id, email };
  };
  const setActive = (id: string, value: boolean) =>
    scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value }));

  it('lists the binding key of a user that is deactivated and activated again', async () => {
    const { id, email } = await provision();
    const version = await readVersion();
    const waiting = requestChanges({ after: version });
    await setActive(id, false);
    const first = await waiting;
    expect(first).toMatchObject({ people: [], bindings: [createBoundChange(email, false)], all: false, reset: false });
    await setActive(id, true);
    expect((await requestChanges({ after: first.version })).bindings).toEqual([createBoundChange(email, true)]);
  });

  it('lists a user that was provisioned inactive or was removed, until it is provisioned again', async () => {
    const version = await readVersion();
    const [inactive, removed] = [await provision({ active: false }), await provision()];
    expect((await scim('DELETE', `/Users/${removed.id}`)).status).toBe(204);
    const changes = await requestChanges({ after: version, wait: 0 });
    expect(changes.bindings).toEqual([
      createBoundChange(inactive.email, false),
      createBoundChange(removed.email, false),
    ]);
    await scim('POST', '/Users', createUserBody({ emails: [{ value: removed.email, primary: true }] }));
    expect((await requestChanges({ after: changes.version, wait: 0 })).bindings).toEqual([
      createBoundChange(removed.email, true),
    ]);
  });

  it('lists the subject as inactive and the binding as active again after the first sign-in', async () => {
    const { id, email } = await provision();
    await setActive(id, false);
    const version = await readVersion();
    const subject = randomUUID();
    const token = await issuer.token({ subject, email });
    expect((await manager.client.call('GET /v1/me', { token })).status).toBe(200);
    const changes = await requestChanges({ after: version, wait: 0 });
    expect(changes.people).toEqual([{ issuer: issuer.issuer, subject, active: false }]);
    expect(changes.bindings).toEqual([createBoundChange(email, true)]);
  });

  it('omits users that stay active', async () => {
    const version = await readVersion();
    const { id, email } = await provision();
    expect(
      (await manager.client.call('GET /v1/me', { token: await issuer.token({ subject: id, email }) })).status,
    ).toBe(200);
    expect(await requestChanges({ after: version, wait: 0 })).toMatchObject({ people: [], bindings: [] });
  });
});
