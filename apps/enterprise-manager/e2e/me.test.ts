import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer } from '@gatehouse/testing/issuer';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Profile {
  issuer: string;
  subject: string;
  roles: string[];
  active: boolean;
  id?: string;
  groups: { id: string; display_name: string; transitive_member_count: number }[];
}

describe('GET /v1/me', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const me = (token: string, headers: Record<string, string> = {}) =>
    manager.client.call<Profile>('GET /v1/me', { token, headers });
  const admin = <Body>(operation: string, options: object) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...options });

  it('returns the direct and indirect groups of the caller without their members', async () => {
    const ids: string[] = [];
    for (const display_name of ['Company', 'Department', 'Team']) {
      ids.push((await admin<{ id: string }>('POST /v1/groups', { body: { display_name } })).body.id);
    }
    const [company = '', department = '', team = ''] = ids;
    const subgroup = 'PUT /v1/groups/{group_id}/subgroups/{child_id}';
    await admin(subgroup, { path: { group_id: company, child_id: department } });
    await admin(subgroup, { path: { group_id: department, child_id: team } });
    const user_id = await manager.userId('alice');
    await admin('PUT /v1/groups/{group_id}/users/{user_id}', { path: { group_id: team, user_id } });

    const { body } = await me(manager.tokens.alice);
    expect(body).toMatchObject({ id: user_id, subject: 'alice', issuer: manager.issuer.issuer, active: true });
    expect(body.groups.map(({ id }) => id)).toEqual(ids);
    expect(body.groups.map((group) => group.transitive_member_count)).toEqual([1, 1, 1]);
    expect(body.groups.some((group) => 'members' in group)).toBe(false);
    expect((await me(manager.tokens.bob)).body.groups).toEqual([]);
  });

  it('returns the roles of the token', async () => {
    const { admin: administrator, auditor, alice } = manager.tokens;
    const roles = await Promise.all([administrator, auditor, alice].map(async (token) => (await me(token)).body.roles));
    expect(roles).toEqual([['admin', 'user'], ['auditor', 'user'], ['user']]);
  });

  it('answers 304 until the profile changes', async () => {
    const etag = (await me(manager.tokens.bob)).headers.get('etag') ?? '';
    expect((await me(manager.tokens.bob, { 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
    const group = await admin<{ id: string }>('POST /v1/groups', { body: { display_name: 'New for bob' } });
    const path = { group_id: group.body.id, user_id: await manager.userId('bob') };
    await admin('PUT /v1/groups/{group_id}/users/{user_id}', { path });
    const changed = await me(manager.tokens.bob, { 'if-none-match': etag });
    expect([changed.status, changed.body.groups.length]).toEqual([200, 1]);
    expect((await me(manager.tokens.alice, { 'if-none-match': etag })).status).toBe(200);
  });

  it('answers 200 with issuer and subject but without groups for a caller without an entry', async () => {
    const { status, body } = await me(manager.tokens.stranger);
    expect([status, body]).toEqual([
      200,
      { issuer: manager.issuer.issuer, subject: 'stranger', roles: ['user'], active: false, groups: [] },
    ]);
  });

  it('returns no groups for a deactivated user', async () => {
    const other = await startManager();
    try {
      const group = await other.client.call<{ id: string }>('POST /v1/groups', {
        token: other.tokens.admin,
        body: { display_name: 'Held' },
      });
      await other.client.call('PUT /v1/groups/{group_id}/users/{user_id}', {
        token: other.tokens.admin,
        path: { group_id: group.body.id, user_id: await other.userId('alice') },
      });
      await other.sql("UPDATE users SET active = FALSE WHERE subject = 'alice'");
      const { body } = await other.client.call<Profile>('GET /v1/me', { token: other.tokens.alice });
      expect(body).toMatchObject({ active: false, groups: [], id: await other.userId('alice') });
    } finally {
      await other.close();
    }
  });

  it('does not return the entry of an equal subject of another issuer', async () => {
    const second = await startIssuer();
    const issuers = [manager.issuer, second].map(({ issuer }, at) => ({ id: `issuer-${at}`, issuer }));
    const both = await startManager({
      environment: {
        ISSUERS: JSON.stringify(issuers),
        SEED_USERS: JSON.stringify([
          { issuer: manager.issuer.issuer, subject: 'alice', user_name: 'alice', display_name: 'The first Alice' },
        ]),
      },
    });
    try {
      const from = async (token: string) => (await both.client.call<Profile>('GET /v1/me', { token })).body;
      expect(await from(manager.tokens.alice)).toMatchObject({ active: true });
      expect(await from(await second.token({ subject: 'alice' }))).toEqual({
        issuer: second.issuer,
        subject: 'alice',
        roles: ['user'],
        active: false,
        groups: [],
      });
    } finally {
      await both.close();
      await second.close();
    }
  });

  it('accepts users and administrators, and answers 401 without a valid token and 403 to a gateway', async () => {
    expect((await manager.client.call('GET /v1/me')).status).toBe(401);
    expect((await me(manager.tokens.gateway)).status).toBe(403);
    expect((await me(manager.tokens.admin)).body).toMatchObject({ subject: 'admin', groups: [] });
    expect((await me(await manager.issuer.token({ subject: 'alice', expiresIn: -120 }))).status).toBe(401);
    const foreign = await manager.issuer.token({ subject: 'alice', audience: 'another-service' });
    expect((await me(foreign)).status).toBe(401);
  });
});
