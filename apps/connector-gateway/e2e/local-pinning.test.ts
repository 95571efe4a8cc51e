import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { ChangingTools, PAY } from './support/changing-tools.ts';
import { TestBackends } from './support/local-mode.ts';
import { modern } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let tools: ChangingTools;
let backends: TestBackends;
let gateway: Gateway;

beforeAll(async () => {
  world = await World.start();
  tools = await ChangingTools.start();
  backends = new TestBackends({ name: 'shop', url: tools.upstream.url, tool_pinning: 'quarantine' });
  gateway = await world.gateway(backends.settings());
}, 60_000);
afterAll(async () => {
  await world.close();
  await tools.upstream.close();
});

describe('tool pinning in local mode', () => {
  it('withholds a changed tool until an administrator accepts it, and follows the file', async () => {
    const token = await world.token('alice');
    const isListed = async () => {
      const { json } = await modern(`${gateway.url}/mcp/shop`, token, 'tools/list');
      return (json.result?.['tools'] as { name: string }[]).some(({ name }) => name === PAY);
    };
    expect(await isListed()).toBe(true);
    tools.changeAgain();
    await eventually(async () => !(await isListed()), 'the tool is withheld');
    const api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
    const admin = await world.token('root', { roles: ['admin'] });
    const { body } = await api.call<{ items: { id: string }[] }>('GET /v1/admin/tool-changes', {
      token: admin,
      query: { connector_id: 'shop' },
    });
    expect(body.items).toMatchObject([{ connector_name: 'shop', tool: PAY, status: 'pending' }]);
    const path = { id: body.items[0]!.id };
    expect((await api.call('POST /v1/admin/tool-changes/{id}/accept', { token: admin, path })).status).toBe(200);
    expect(await isListed()).toBe(true);
    tools.changeAgain();
    await eventually(async () => !(await isListed()), 'the next change is withheld');
    backends.write({ name: 'shop', url: tools.upstream.url });
    await eventually(isListed, 'pinning is off');
  });
});
