import { type ContractClient, createContractClient } from '@gatehouse/testing/contract-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestConnector } from './support/manager.ts';
import { modern } from './support/raw.ts';
import { scripted, type ScriptedServer } from './support/scripted.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const BASE = '/v1/users/me/gateway/connectors';

describe('a connector with an unreachable server', () => {
  let world: World;
  let gateway: Gateway;
  let server: ScriptedServer;
  let connector: TestConnector;
  let api: ContractClient;
  let token: string;
  const lines: string[] = [];

  beforeAll(async () => {
    world = await World.start();
    server = await scripted({});
    connector = world.manager.addConnector({ slug: 'tools', endpoint: server.url }, ['all']);
    world.manager.toggle(world.manager.addUser({ subject: 'alice', groups: ['all'] }), connector, true);
    const log = { write: (line: string) => void lines.push(line) };
    gateway = await world.gateway({ HEALTH_PROBE_SECONDS: '1', LOG_LEVEL: 'info' }, log);
    api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
    token = await world.token('alice');
  }, 60_000);
  afterAll(() => world.close());

  const health = async () => {
    const path = { connector_id: connector.id };
    const { body } = await api.call<{ health?: { status: string } }>(`GET ${BASE}/{connector_id}/status`, {
      token,
      path,
    });
    return body.health?.status;
  };
  const until = (status: string) =>
    eventually(async () => ((await health()) === status ? true : undefined), `the status is ${status}`, 2_400);

  it('is shown as unreachable without a caller, with one log line', async () => {
    await until('reachable');
    expect(server.seen.get('initialize')).toBeUndefined();
    await server.close();
    await until('unreachable');
    const { body } = await api.call<{ statuses: object[] }>(`GET ${BASE}/status`, { token });
    expect(body.statuses).toEqual([
      {
        connector_id: connector.id,
        connection_status: 'ready',
        health: { status: 'unreachable', since: expect.any(String) },
      },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(lines.filter((line) => line.includes('cannot be reached'))).toHaveLength(1);
  }, 90_000);

  it('causes a record with the outcome error when it is called', async () => {
    const { json } = await modern(`${gateway.url}/mcp`, token, 'tools/call', { name: 'tools__only', arguments: {} });
    expect(json.result).toMatchObject({ isError: true });
    const record = await eventually(() => [...world.manager.records.values()][0], 'the record arrives');
    expect(record).toMatchObject({ connector_id: connector.id, outcome: 'error', billable: false });
  });
});
