import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { grant, makeAvailable, makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

interface Connection {
  id: string;
  tools_exception_list: string[];
  unknown_tools?: string[];
  connection_status?: string;
}
interface Receipts {
  results: { status: string; error?: string }[];
}

const REPORT = '/gateway/v1/gateways/{gateway_id}/connection-statuses';

describe('POST /gateway/v1/gateways/{gateway_id}/connection-statuses', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];
  let team: string;
  let alice: string;
  beforeAll(async () => {
    manager = await startManager({
      gateways: ['other'],
    });
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
    team = await makeGroup(manager, 'alice');
    alice = await manager.findUserId('alice');
  }, 90_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const report = (statuses: unknown[], gateway_id = 'local', token = manager.tokens.gateway) =>
    manager.client.call<Receipts>(`POST ${REPORT}`, { token, path: { gateway_id }, body: { statuses } });
  const createObservation = (connector_id: string, more: object = {}) => ({
    user_id: alice,
    connector_id,
    connection_status: 'ready',
    observed_at: new Date().toISOString(),
    ...more,
  });
  const connect = async (tools_exception_list: string[] = []) => {
    const { id: connector_id } = await makeAvailable(manager);
    await grant(manager, connector_id, team, await makeGroup(manager, 'bob'));
    const { body } = await manager.client.call<Connection>('POST /v1/me/connections', {
      token: manager.tokens.alice,
      body: { gateway_id: 'local', connector_id, tools_exception_list },
    });
    return { connector_id, connection: body };
  };
  const read = async (id: string) =>
    (
      await manager.client.call<Connection>('GET /v1/me/connections/{id}', {
        token: manager.tokens.alice,
        path: { id },
      })
    ).body;
  const getTimeBefore = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

  it('shows the status on the connection to its owner and to administrators, beside the user’s settings', async () => {
    const { connector_id, connection } = await connect();
    expect(connection).not.toHaveProperty('connection_status');
    const readEntitlements = () =>
      manager.client.call<{ version: string }>('GET /gateway/v1/gateways/{gateway_id}/entitlements/{user_id}', {
        token: manager.tokens.gateway,
        path: { gateway_id: 'local', user_id: alice },
      });
    const { version } = (await readEntitlements()).body;
    for (const connection_status of ['needs_auth', 'connected', 'ready']) {
      const { body } = await report([createObservation(connector_id, { connection_status })]);
      expect(body.results).toEqual([{ status: 'stored' }]);
      expect(await read(connection.id)).toEqual({ ...connection, connection_status });
    }
    const listed = await manager.client.call<{ items: Connection[] }>(
      'GET /v1/gateways/{gateway_id}/connectors/{id}/connections',
      { token: manager.tokens.auditor, path: { gateway_id: 'local', id: connector_id } },
    );
    expect(listed.body.items).toEqual([{ ...connection, connection_status: 'ready' }]);
    expect((await readEntitlements()).body.version).toBe(version);
  });

  it('shows which exceptions name no tool, and keeps them for tools that appear later', async () => {
    const { connector_id, connection } = await connect(['echo', 'typo', 'later']);
    expect(connection).toMatchObject({ tools_exception_list: ['echo', 'typo', 'later'] });
    expect(connection).not.toHaveProperty('unknown_tools');
    await report([createObservation(connector_id, { tools: ['echo', 'add'] })]);
    expect(await read(connection.id)).toMatchObject({
      tools_exception_list: ['echo', 'typo', 'later'],
      unknown_tools: ['typo', 'later'],
    });
    const changed = await manager.client.call<Connection>('PUT /v1/me/connections/{id}/tool-policy', {
      token: manager.tokens.alice,
      path: { id: connection.id },
      body: { tools_enabled_by_default: false, tools_exception_list: ['later', 'ECHO', 'add'] },
    });
    expect([changed.status, changed.body.tools_exception_list, changed.body.unknown_tools]).toEqual([
      200,
      ['later', 'ECHO', 'add'],
      ['later', 'ECHO'],
    ]);
    await report([createObservation(connector_id, { tools: ['echo', 'add', 'later'] })]);
    expect((await read(connection.id)).unknown_tools).toEqual(['ECHO']);
    await report([createObservation(connector_id, { connection_status: 'needs_auth' })]);
    expect(await read(connection.id)).toMatchObject({ unknown_tools: ['ECHO'], connection_status: 'needs_auth' });
    await report([createObservation(connector_id, { tools: [] })]);
    expect((await read(connection.id)).unknown_tools).toEqual(['later', 'ECHO', 'add']);
  });

  it('uses the tools of other users if no gateway has listed the tools for this user', async () => {
    const { connector_id, connection } = await connect(['echo', 'secret']);
    const bob = await manager.findUserId('bob');
    await report([createObservation(connector_id, { user_id: bob, tools: ['echo'], observed_at: getTimeBefore(2) })]);
    expect((await read(connection.id)).unknown_tools).toEqual(['secret']);
    await report([createObservation(connector_id, { tools: ['secret'], observed_at: getTimeBefore(3) })]);
    expect((await read(connection.id)).unknown_tools).toEqual(['echo']);
  });

  it('keeps the latest observation in any order of arrival, within a batch and over replicas', async () => {
    const { connector_id, connection } = await connect();
    const createObservationAt = (minutes: number, connection_status: string) =>
      createObservation(connector_id, { connection_status, observed_at: getTimeBefore(minutes) });
    const { body } = await report([
      createObservationAt(5, 'needs_auth'),
      createObservationAt(3, 'connected'),
      createObservationAt(4, 'ready'),
    ]);
    expect(body.results).toEqual([{ status: 'stale' }, { status: 'stored' }, { status: 'stale' }]);
    expect((await report([createObservationAt(4, 'ready')])).body.results).toEqual([{ status: 'stale' }]);
    expect(await read(connection.id)).toMatchObject({ connection_status: 'connected' });
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await report([createObservation(connector_id, { connection_status: 'ready', observed_at: ahead })]);
    await report([createObservation(connector_id, { connection_status: 'needs_auth' })]);
    expect(await read(connection.id)).toMatchObject({ connection_status: 'needs_auth' });
  });

  it('stores concurrent reports on two replicas completely for each user and connector', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => connect(['a'])));
    const now = Date.now();
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        const statuses = made.map(({ connector_id }) =>
          createObservation(connector_id, {
            connection_status: at === 23 ? 'connected' : 'ready',
            tools: at === 23 ? ['a'] : [],
            observed_at: new Date(now - 60_000 + at).toISOString(),
          }),
        );
        return replicas[at % 2]!.call({
          method: 'POST',
          path: REPORT.replace('{gateway_id}', 'local'),
          token: manager.tokens.gateway,
          body: { statuses: at % 3 === 0 ? statuses.toReversed() : statuses },
        });
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    for (const { connection } of made)
      expect(await read(connection.id)).toMatchObject({ connection_status: 'connected', unknown_tools: [] });
  });

  it('rejects only the invalid items of a batch, and an invalid batch completely', async () => {
    const { connector_id, connection } = await connect();
    const { status, body } = await report([
      createObservation(connector_id, { connection_status: 'fine' }),
      createObservation(randomUUID()),
      createObservation(connector_id, { user_id: randomUUID() }),
      createObservation(connector_id, { observed_at: 'yesterday' }),
      createObservation(connector_id, { more: true }),
      createObservation(connector_id, { tools: ['\u0000'] }),
      7,
      createObservation(connector_id),
    ]);
    expect([status, body.results.map((result) => result.status)]).toEqual([
      200,
      [...Array.from({ length: 7 }, () => 'rejected'), 'stored'],
    ]);
    expect(body.results.slice(0, 7).every(({ error }) => error !== undefined)).toBe(true);
    expect((await report([createObservation(connector_id)], 'other')).body.results).toEqual([
      { status: 'rejected', error: expect.stringContaining('at this gateway') as unknown },
    ]);
    expect(await read(connection.id)).toMatchObject({ connection_status: 'ready' });
    expect((await report([], 'none')).status).toBe(404);
    expect((await report(Array(1_001).fill(createObservation(connector_id)))).status).toBe(400);
    expect((await report(['x'.repeat(9_000_000)])).status).toBe(413);
    for (const token of [manager.tokens.admin, manager.tokens.alice])
      expect((await report([], 'local', token)).status).toBe(403);
  });

  it('deletes the status with the user and with the connector', async () => {
    const { connector_id } = await connect();
    await report([createObservation(connector_id)]);
    await manager.client.call('DELETE /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.admin,
      path: { gateway_id: 'local', id: connector_id },
    });
    expect(await manager.sql('SELECT FROM connection_statuses WHERE connector_id = $1', [connector_id])).toEqual([]);
  });
});
