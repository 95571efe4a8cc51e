import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ContractClient, createContractClient } from '@gatehouse/testing/contract-client';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { startPostgresWire } from '@gatehouse/testing/postgres-wire';
import { createDataSource } from '@gatehouse/database/data-source';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { TestUser } from './support/manager.ts';
import { initialize, inSession } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

interface Session {
  id: string;
  subject: string;
  open_requests?: number;
}
interface Page<T> {
  items: T[];
  next_cursor?: string;
}
interface AuditEvent {
  operation: string;
  subject: string;
  object_id?: string;
  outcome: string;
}

const SESSIONS = '/v1/admin/sessions';
const ONE = `${SESSIONS}/{id}`;

let world: World;
let upstream: McpUpstream;
let gateways: [Gateway, Gateway];
let api: ContractClient;
let alice: TestUser;
let tokens: Record<'alice' | 'bob' | 'admin' | 'auditor', string>;
let database: DataSource;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  const connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.addUser({ subject: 'bob', groups: ['all'] });
  world.manager.toggle(alice, connector, true);
  gateways = [await world.gateway(), await world.gateway()];
  tokens = {
    alice: await world.token('alice'),
    bob: await world.token('bob'),
    admin: await world.token('root', { roles: ['admin'] }),
    auditor: await world.token('auditor', { roles: ['auditor'] }),
  };
  api = createContractClient({ service: 'connector-gateway', baseUrl: gateways[0].controlUrl });
  database = await createDataSource({ url: world.database.url, entities: [] }).initialize();
}, 60_000);
afterAll(async () => {
  await database.destroy();
  await world.close();
  await upstream.close();
});

const urlAt = (at: 0 | 1) => `${gateways[at].url}/mcp`;
const list = async (query: Record<string, string | number> = {}): Promise<Page<Session>> =>
  (await api.call<Page<Session>>(`GET ${SESSIONS}`, { token: tokens.auditor, query })).body;
const end = async (id: string, token = tokens.admin): Promise<number> =>
  (await api.call(`DELETE ${ONE}`, { token, path: { id } })).status;
const listTools = (at: 0 | 1, session: string) => inSession(urlAt(at), tokens.alice, session, 'tools/list');
const listEvents = async (query: Record<string, string> = {}): Promise<AuditEvent[]> =>
  (await api.call<Page<AuditEvent>>('GET /v1/audit-events', { token: tokens.auditor, query })).body.items;
const newest = async (): Promise<Session> => (await list({ limit: 1 })).items[0]!;

describe('GET /v1/admin/sessions', () => {
  it('shows the user, the client and the scope, and never the id that the client uses', async () => {
    const secret = await initialize(urlAt(0), tokens.alice);
    const page = await list({ user_id: alice.user_id });
    expect(page.items[0]).toMatchObject({
      issuer: world.issuer.issuer,
      subject: 'alice',
      user_id: alice.user_id,
      client_name: 'raw',
      client_version: '1',
      protocol_version: '2025-11-25',
      open_requests: 0,
    });
    expect(page.items[0]).not.toHaveProperty('connector');
    expect(JSON.stringify(page)).not.toContain(secret);
    await initialize(`${urlAt(1)}/tools`, tokens.alice);
    expect(await newest()).toMatchObject({ connector: 'tools' });
  });

  it('filters by the user and pages newest first', async () => {
    for (let count = 0; count < 3; count += 1) await initialize(urlAt(1), tokens.bob);
    expect((await list({ subject: 'bob', issuer: world.issuer.issuer })).items).toHaveLength(3);
    expect((await list({ subject: 'bob', issuer: 'https://other.test' })).items).toEqual([]);
    const first = await list({ subject: 'bob', limit: 2 });
    const second = await list({ subject: 'bob', limit: 2, cursor: first.next_cursor! });
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3);
    expect(second.next_cursor).toBeUndefined();
    const elsewhere = await api.call(`GET ${SESSIONS}`, {
      token: tokens.auditor,
      query: { subject: 'alice', cursor: first.next_cursor! },
    });
    expect(elsewhere.status).toBe(400);
  });

  it('leaves out sessions that their client ended', async () => {
    const secret = await initialize(urlAt(0), tokens.alice);
    const { id } = await newest();
    await fetch(urlAt(1), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokens.alice}`, 'mcp-session-id': secret },
    });
    expect((await list()).items.map((session) => session.id)).not.toContain(id);
    expect(await end(id)).toBe(404);
  });
});

describe('DELETE /v1/admin/sessions/{id}', () => {
  it('ends the session on all replicas, and its client can begin a new one', async () => {
    const secret = await initialize(urlAt(0), tokens.alice);
    for (const at of [0, 1] as const) expect((await listTools(at, secret)).status).toBe(200);
    expect(await end((await newest()).id)).toBe(204);
    expect((await listTools(0, secret)).status).toBe(404);
    await eventually(async () => (await listTools(1, secret)).status === 404 || undefined, 'the other replica knows');
    expect((await listTools(0, await initialize(urlAt(0), tokens.alice))).status).toBe(200);
  });

  it.each([0, 1] as const)('ends the open stream at replica %i', async (at) => {
    const secret = await initialize(urlAt(at), tokens.alice);
    const stream = await fetch(urlAt(at), {
      headers: { authorization: `Bearer ${tokens.alice}`, 'mcp-session-id': secret, accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(200);
    const ended = stream.text();
    expect(await end((await newest()).id)).toBe(204);
    await ended;
  });

  it('keeps all other sessions', async () => {
    const [kept, ended] = [await initialize(urlAt(0), tokens.alice), await initialize(urlAt(0), tokens.alice)];
    expect(await end((await newest()).id)).toBe(204);
    expect((await listTools(0, ended)).status).toBe(404);
    expect((await listTools(0, kept)).status).toBe(200);
  });

  it('is audited once, and answers 404 for an ended and an unknown session alike', async () => {
    await initialize(urlAt(0), tokens.alice);
    const { id } = await newest();
    const statuses = await Promise.all([end(id), end(id), end(id)]);
    expect(statuses.sort()).toEqual([204, 404, 404]);
    const call = (unknown: string) => api.call(`DELETE ${ONE}`, { token: tokens.admin, path: { id: unknown } });
    expect((await call(id)).body).toEqual((await call(randomUUID())).body);
    expect(await listEvents({ object_id: id })).toEqual([
      expect.objectContaining({ operation: 'End session', object_kind: 'mcp_session', subject: 'root' }),
    ]);
  });

  it('refuses an auditor and a user, and audits the refusal', async () => {
    await initialize(urlAt(0), tokens.alice);
    const { id } = await newest();
    for (const token of [tokens.auditor, tokens.alice]) expect(await end(id, token)).toBe(403);
    expect((await list()).items.map((session) => session.id)).toContain(id);
    const refused = await listEvents({ outcome: 'forbidden', object_id: id });
    expect(refused.map(({ subject }) => subject).sort()).toEqual(['alice', 'auditor']);
  });

  it('refuses the id that the client uses', async () => {
    const secret = await initialize(urlAt(0), tokens.alice);
    expect(await end(secret)).toBe(400);
  });
});

describe('the audit trail', () => {
  it.each([
    "UPDATE audit_events SET outcome = 'succeeded'",
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
    'DROP TABLE audit_events',
  ])('cannot be changed by the service: %s', async (attack) => {
    await expect(database.query(attack)).rejects.toThrow(/permission denied|must be owner/);
  });
});

describe('an operation of an administrator while the database cannot be reached', () => {
  it('answers 503 with Retry-After', async () => {
    const wire = await startPostgresWire(world.database.url);
    const { controlUrl } = await world.gateway({ DATABASE_URL: wire.url });
    await wire.close();
    const cut = createContractClient({ service: 'connector-gateway', baseUrl: controlUrl });
    const calls = {
      [`GET ${SESSIONS}`]: {},
      'GET /v1/audit-events': {},
      [`DELETE ${ONE}`]: { path: { id: randomUUID() } },
    };
    for (const [operation, call] of Object.entries(calls)) {
      const { status, headers } = await cut.call(operation, { token: tokens.admin, ...call });
      expect([operation, status, headers.get('retry-after')]).toEqual([
        operation,
        503,
        expect.stringMatching(/^[1-9]/),
      ]);
    }
  });
});
