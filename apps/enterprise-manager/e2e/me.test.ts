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

  const readProfile = (token: string, headers: Record<string, string> = {}) =>
    manager.client.call<Profile>('GET /v1/me', { token, headers });
  const callAsAdmin = <Body>(operation: string, options: object) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...options });

  it('returns the direct and indirect groups of the caller without their members', async () => {
    const ids: string[] = [];
    for (const display_name of ['Company', 'Department', 'Team']) {
      ids.push((await callAsAdmin<{ id: string }>('POST /v1/groups', { body: { display_name } })).body.id);
    }
    const [company = '', department = '', team = ''] = ids;
    const subgroup = 'PUT /v1/groups/{group_id}/subgroups/{child_id}';
    await callAsAdmin(subgroup, { path: { group_id: company, child_id: department } });
    await callAsAdmin(subgroup, { path: { group_id: department, child_id: team } });
    const user_id = await manager.findUserId('alice');
    await callAsAdmin('PUT /v1/groups/{group_id}/users/{user_id}', { path: { group_id: team, user_id } });

    const { body } = await readProfile(manager.tokens.alice);
    expect(body).toMatchObject({ id: user_id, subject: 'alice', issuer: manager.issuer.issuer, active: true });
    expect(body.groups.map(({ id }) => id)).toEqual(ids);
    expect(body.groups.map((group) => group.transitive_member_count)).toEqual([1, 1, 1]);
    expect(body.groups.some((group) => 'members' in group)).toBe(false);
    expect((await readProfile(manager.tokens.bob)).body.groups).toEqual([]);
  });

  it('returns the roles of the token', async () => {
    const { admin: administrator, auditor, alice } = manager.tokens;
    const roles = await Promise.all(
      [administrator, auditor, alice].map(async (token) => (await readProfile(token)).body.roles),
    );
    expect(roles).toEqual([['admin', 'user'], ['auditor', 'user'], ['user']]);
  });

  it('answers 304 until the profile changes', async () => {
    const etag = (await readProfile(manager.tokens.bob)).headers.get('etag') ?? '';
    expect((await readProfile(manager.tokens.bob, { 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
    const group = await callAsAdmin<{ id: string }>('POST /v1/groups', { body: { display_name: 'New for bob' } });
    const path = { group_id: group.body.id, user_id: await manager.findUserId('bob') };
    await callAsAdmin('PUT /v1/groups/{group_id}/users/{user_id}', { path });
    const changed = await readProfile(manager.tokens.bob, { 'if-none-match': etag });
    expect([changed.status, changed.body.groups.length]).toEqual([200, 1]);
    expect((await readProfile(manager.tokens.alice, { 'if-none-match': etag })).status).toBe(200);
  });

  it('answers 200 with issuer and subject but without groups for a caller without an entry', async () => {
    const { status, body } = await readProfile(manager.tokens.stranger);
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
        path: { group_id: group.body.id, user_id: await other.findUserId('alice') },
      });
      await other.sql("UPDATE users SET active = FALSE WHERE subject = 'alice'");
      const { body } = await other.client.call<Profile>('GET /v1/me', { token: other.tokens.alice });
      expect(body).toMatchObject({ active: false, groups: [], id: await other.findUserId('alice') });
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
      const readProfileFromBoth = async (token: string) =>
        (await both.client.call<Profile>('GET /v1/me', { token })).body;
      expect(await readProfileFromBoth(manager.tokens.alice)).toMatchObject({ active: true });
      expect(await readProfileFromBoth(await second.token({ subject: 'alice' }))).toEqual({
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
    expect((await readProfile(manager.tokens.gateway)).status).toBe(403);
    expect((await readProfile(manager.tokens.admin)).body).toMatchObject({ subject: 'admin', groups: [] });
    expect((await readProfile(await manager.issuer.token({ subject: 'alice', expiresIn: -120 }))).status).toBe(401);
    const foreign = await manager.issuer.token({ subject: 'alice', audience: 'another-service' });
    expect((await readProfile(foreign)).status).toBe(401);
  });
});
