import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen } from '@gatehouse/testing/fixture';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { findContractFaults, SCHEMATHESIS_TIMEOUT_MS, schemathesisPython } from '@gatehouse/testing/schemathesis';
import { World } from './support/world.ts';

describeWhen(await schemathesisPython(), 'schemathesis on connector-gateway', (python) => {
  let world: World;
  let upstream: McpUpstream;
  let baseUrl: string;

  beforeAll(async () => {
    world = await World.start();
    upstream = await startMcpUpstream();
    const connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
    world.manager.toggle(world.manager.addUser({ subject: 'alice', groups: ['all'] }), connector, true);
    baseUrl = (await world.gateway()).controlUrl;
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await upstream.close();
  });

  it(
    'finds that every operation answers as its document says',
    async () => {
      const token = await world.token('alice');
      const fuzzed = { name: 'connector-gateway', baseUrl, tokenFor: () => token };
      expect(await findContractFaults(python, fuzzed)).toEqual([]);
    },
    SCHEMATHESIS_TIMEOUT_MS,
  );
});
