import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';
import type { TestConnector, TestUser } from './support/manager.ts';

describe.each([
  ['a modern upstream', 'modern'],
  ['a legacy upstream', 'legacy'],
] as const)('the flow with %s', (_, eras) => {
  let world: World;
  let gateway: Gateway;
  let upstream: McpUpstream;
  let connector: TestConnector;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
    upstream = await startMcpUpstream({ eras });
    connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['engineers']);
    alice = world.manager.addUser({ subject: 'alice', groups: ['engineers'] });
    world.manager.toggle(alice, connector, true);
    world.manager.toggle(world.manager.addUser({ subject: 'bob' }), connector, true);
    gateway = await world.gateway();
  });

  afterAll(async () => {
    await world.close();
    await upstream.close();
  });

  it('lists and calls with the current SDK in both eras, and with the previous SDK', async () => {
    const token = await world.token('alice');
    const clients = [
      await world.client(`${gateway.url}/mcp`, token, MODERN),
      await world.client(`${gateway.url}/mcp`, token),
      await world.oldClient(`${gateway.url}/mcp`, token),
    ];
    const name = `tools__${upstream.tools.echo}`;
    for (const client of clients) {
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(
        Object.values(upstream.tools)
          .map((tool) => `tools__${tool}`)
          .sort(),
      );
      const result = await client.callTool({ name, arguments: { text: 'hello' } });
      expect(result.content).toEqual([{ type: 'text', text: 'hello' }]);
    }
    expect(clients[0]).toHaveProperty('getProtocolEra');
  });

  it('delivers a record of each call', async () => {
    const before = world.manager.records.size;
    const client = await world.client(`${gateway.url}/mcp`, await world.token('alice'), MODERN);
    await client.callTool({ name: `tools__${upstream.tools.failing}` });
    const record = await eventually(
      () =>
        [...world.manager.records.values()].slice(before).find((one) => one['tool_name'] === upstream.tools.failing),
      'the record arrives',
    );
    expect(record).toMatchObject({
      connector_id: connector.id,
      connector_name: connector.name,
      user_id: alice.user_id,
      user_email: 'alice@example.test',
      groups: [{ id: 'engineers' }],
      decision: 'allowed',
      outcome: 'error',
      category: 'invocation',
      billable: true,
      gateway_id: 'test-gateway',
      environment: 'local',
    });
    expect(record['definition_version']).toMatch(/^[0-9a-f]{12}$/);
    expect(record['arguments_sha256']).toMatch(/^[0-9a-f]{64}$/);
  });
});
