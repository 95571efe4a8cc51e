import { GATEWAY_CLIENT } from '@gatehouse/testing/issuer';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import pg from 'pg';
import { modern } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let database: TestDatabase;
let manager: TestProcess;
let managerUrl: string;
let gateway: Gateway;
let upstream: McpUpstream;

async function api(token: string, method: string, path: string, body?: object): Promise<{ id: string; etag: string }> {
  const response = await fetch(`${managerUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'if-match': '*', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return { ...(JSON.parse(text) as { id: string }), etag: response.headers.get('etag') ?? '' };
}

/** Provisions a user by address, without a subject. @returns the id of the entry */
async function provision(address: string, active = true): Promise<string> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO users (id, issuer, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, $2, $2, $2, 'scim', $3, $2, now(), now()) RETURNING id`,
    [world.issuer.issuer, address, active],
  );
  await client.end();
  return rows[0]?.id ?? '';
}

async function enableConnection(userId: string, connectorId: string): Promise<void> {
  const token = await world.issuer.token({ subject: 'plane', roles: ['gateway'] });
  await api(token, 'PUT', `/gateway/v1/gateways/test-gateway/connections/${userId}/${connectorId}`, { enabled: true });
}

beforeAll(async () => {
  world = await World.start();
  database = await createDatabase({ name: 'manager-of-provisioned-users' });
  upstream = await startMcpUpstream();
  const port = await freePort();
  managerUrl = `http://127.0.0.1:${port}`;
  manager = await startProcess({
    app: 'enterprise-manager',
    env: {
      ...world.environment(),
      PORT: String(port),
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      ISSUERS: JSON.stringify([
        {
          id: 'local',
          issuer: world.issuer.issuer,
          roles: { claim: 'roles', values: { admin: ['admin'], gateway: ['gateway'] } },
          binding: { claim: 'email', attribute: 'emails' },
        },
      ]),
      ALLOW_LOOPBACK_UPSTREAMS: 'true',
      GATEWAYS: JSON.stringify([
        {
          id: 'test-gateway',
          display_name: 'Test',
          kind: 'connector',
          client_ids: [{ issuer: world.issuer.issuer, client_id: GATEWAY_CLIENT }],
        },
      ]),
    },
    readyUrl: `${managerUrl}/readyz`,
  });
  gateway = await world.gateway({ ENTERPRISE_MANAGER_URL: managerUrl });
}, 60_000);

afterAll(async () => {
  await world.close();
  await manager.stop();
  await upstream.close();
  await database.drop();
});

describe('a user who is provisioned by e-mail address', () => {
  it('has the rights of the groups from the first token on, unlike the next owner of the address', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const userId = await provision('alice@corp.example');
    const group = await api(admin, 'POST', '/v1/groups', { display_name: 'Provisioned' });
    await api(admin, 'PUT', `/v1/groups/${group.id}/users/${userId}`);
    const connector = await api(admin, 'POST', '/v1/gateways/test-gateway/connectors', {
      name: 'provisioned',
      endpoint: upstream.url,
      transport: 'streamable-http',
      draft: false,
      allow_private_ips: true,
    });
    await api(admin, 'PUT', `/v1/connectors/${connector.id}/policy/groups`, { group_ids: [group.id] });
    await enableConnection(userId, connector.id);

    const call = (token: string) =>
      modern(`${gateway.url}/mcp`, token, 'tools/call', {
        name: `provisioned__${upstream.tools.echo}`,
        arguments: { text: 'for provisioned users' },
      });
    const claims = { email: 'Alice@corp.example' };
    const unverified = await world.token('thief', { ...claims, claims: { email_verified: false } });
    expect((await call(unverified)).text).not.toContain('for provisioned users');

    const alice = await world.token('opaque-alice', claims);
    await eventually(
      async () => ((await call(alice)).text.includes('for provisioned users') ? true : undefined),
      'alice can call',
    );
    const next = await call(await world.token('next-owner', claims));
    expect(next.text).not.toContain('for provisioned users');
    // From here the subject identifies the user.
    const moved = await world.token('opaque-alice', { email: 'new@corp.example' });
    expect((await call(moved)).text).toContain('for provisioned users');
  }, 60_000);

  it('has no access when deactivated before the first sign-in', async () => {
    await provision('leaver@corp.example', false);
    const leaver = await world.token('opaque-leaver', { email: 'leaver@corp.example', roles: ['admin'] });
    const response = await modern(`${gateway.url}/mcp`, leaver, 'tools/list', {});
    expect(response.status).toBe(403);
    const control = await fetch(`${gateway.controlUrl}/v1/users/me/gateway/connectors`, {
      headers: { authorization: `Bearer ${leaver}` },
    });
    await control.text();
    expect(control.status).toBe(403);
  });
});
