import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceServer, startConformanceServer } from '@gatehouse/testing/conformance-server';
import type { Client } from '@modelcontextprotocol/client';
import { modern } from './support/raw.ts';
import { scripted, type ScriptedServer } from './support/scripted.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let marked: ScriptedServer;
let current: ConformanceServer;
let token: string;
let url: string;

beforeAll(async () => {
  world = await World.start();
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  marked = await scripted({
    'tools/list': () => ({ tools: [{ name: 'only', inputSchema: { type: 'object', properties: { region } } }] }),
    'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params?.['arguments']) }] }),
  });
  current = await startConformanceServer();
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  const bob = world.manager.addUser({ subject: 'bob', groups: ['all'] });
  const markedConnector = world.manager.addConnector({ slug: 'marked', endpoint: marked.url }, ['all']);
  world.manager.toggle(alice, markedConnector, true);
  world.manager.toggle(bob, markedConnector, true);
  const currentConnector = world.manager.addConnector({ slug: 'current', endpoint: current.url }, ['all']);
  world.manager.toggle(alice, currentConnector, true);
  token = await world.token('alice');
  gateway = await world.gateway();
  url = `${gateway.url}/mcp`;
  await eventually(
    async () => ((await modern(url, token, 'tools/list')).text.includes('marked__only') ? true : undefined),
    'the tools are listed',
  );
}, 60_000);

afterAll(async () => {
  await world.close();
  await Promise.all([marked.close(), current.close()]);
});

describe('the Mcp-Param-* headers of a call', () => {
  const call = (region: string | undefined, headers: Record<string, string>) =>
    modern(
      url,
      token,
      'tools/call',
      { name: 'marked__only', arguments: region === undefined ? {} : { region } },
      headers,
    );

  it.each([
    ['eu', { 'mcp-param-region': 'us' }],
    ['eu', {}],
    [undefined, { 'mcp-param-region': 'eu' }],
  ])('are refused if they contradict the argument %s: %j', async (region, headers) => {
    const before = [marked.seen.get('tools/call'), world.manager.records.size];
    const { status, json } = await call(region, headers);
    expect([status, json.error?.code]).toEqual([400, -32020]);
    expect(marked.seen.get('tools/call')).toBe(before[0]);
    const record = await eventually(
      () => (world.manager.records.size > before[1]! ? [...world.manager.records.values()].at(-1) : undefined),
      'the record arrives',
    );
    expect(record).toMatchObject({ tool_name: 'only', category: 'not_evaluated' });
  });

  it('reach the tool if they match', async () => {
    const { json } = await call('eu', { 'mcp-param-region': 'eu' });
    expect(json.result?.['content']).toEqual([{ type: 'text', text: '{"region":"eu"}' }]);
  });

  it('are sent by a stock client', async () => {
    const client = await world.client(url, token, MODERN);
    await client.listTools();
    const { content } = await client.callTool({ name: 'marked__only', arguments: { region: 'é' } });
    expect(content).toEqual([{ type: 'text', text: '{"region":"é"}' }]);
  });
});

describe('a list that an upstream announces as changed', () => {
  it('is announced to users who see the connector, also without a visible change', async () => {
    const changed: Record<string, string[]> = { alice: [], bob: [] };
    const clients: Record<string, Client> = {};
    for (const [subject, kinds] of Object.entries(changed)) {
      const onChanged = (kind: string) => ({
        autoRefresh: false,
        debounceMs: 0,
        onChanged: () => void kinds.push(kind),
      });
      const listChanged = { tools: onChanged('tools'), prompts: onChanged('prompts') };
      clients[subject] = await world.client(url, await world.token(subject), { ...MODERN, listChanged });
    }
    await clients['alice']!.callTool({ name: 'current__test_trigger_tool_change', arguments: {} });
    await eventually(() => (changed['alice']!.includes('tools') ? true : undefined), 'the tools are announced');
    await clients['alice']!.callTool({ name: 'current__test_trigger_prompt_change', arguments: {} });
    await eventually(() => (changed['alice']!.includes('prompts') ? true : undefined), 'the prompts are announced');
    expect(changed).toEqual({ alice: ['tools', 'prompts'], bob: [] });
  });
});
