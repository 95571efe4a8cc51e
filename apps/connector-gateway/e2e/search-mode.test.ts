import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import type { ServerResponse } from 'node:http';
import type { TestConnector, TestRecord, TestUser } from './support/manager.ts';
import { initialize, inSession, modern, post, type RawAnswer } from './support/raw.ts';
import { type Message, scripted, type ScriptedServer, stream } from './support/scripted.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

interface FoundTool {
  name: string;
  description?: string;
  inputSchema: { properties?: object };
}

const region = { type: 'string', 'x-mcp-header': 'Region' };
const TOOLS = [
  { name: 'ask', description: 'Asks', inputSchema: { type: 'object' } },
  {
    name: 'create_issue',
    description: 'Create a new issue in a repository',
    inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
  },
  { name: 'list_issues', description: 'List issues', inputSchema: { type: 'object' } },
  { name: 'delete_repository', description: 'Delete a repository', inputSchema: { type: 'object' } },
  { name: 'deploy', description: 'Deploy to a region', inputSchema: { type: 'object', properties: { region } } },
  {
    name: 'enormous',
    description: 'Reads a gigantic specification',
    inputSchema: { type: 'object', properties: {}, description: 'x'.repeat(200_000) },
  },
];

let world: World;
let gateway: Gateway;
let forge: ScriptedServer;
let received: { message: Message; headers: Record<string, string | string[] | undefined> }[];
/** The call that asks its client. */
let asking: { id: Message['id']; response: ServerResponse } | undefined;
const cancelled: unknown[] = [];
let upstream: McpUpstream;
let connector: TestConnector;
let hidden: TestConnector;
let alice: TestUser;
let token: string;
let url: string;

beforeAll(async () => {
  world = await World.start();
  received = [];
  forge = await scripted({
    'tools/list': () => ({ tools: TOOLS }),
    'tools/call': (message, response, { headers }) => {
      received.push({ message, headers });
      if (message.params?.['name'] === 'ask') {
        asking = { id: message.id, response };
        const params = { message: 'Which one?', requestedSchema: { type: 'object', properties: {} } };
        stream(response)({ id: 'question', method: 'elicitation/create', params });
        return undefined;
      }
      return { content: [{ type: 'text', text: 'done' }] };
    },
    answer: ({ result }, response) => {
      response.writeHead(202).end();
      const text = JSON.stringify(result);
      asking?.response.end(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: asking.id, result: { content: [{ type: 'text', text }] } })}\n\n`,
      );
    },
    'notifications/cancelled': ({ params }, response) => {
      cancelled.push(params?.['requestId']);
      response.writeHead(202).end();
    },
  });
  upstream = await startMcpUpstream();
  connector = world.manager.addConnector({ slug: 'forge', endpoint: forge.url }, ['all']);
  hidden = world.manager.addConnector({ slug: 'hidden', endpoint: forge.url }, ['other-group']);
  const other = world.manager.addConnector({ slug: 'other', endpoint: upstream.url }, ['all']);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  for (const one of [connector, hidden, other]) world.manager.toggle(alice, one, true);
  gateway = await world.gateway();
  url = `${gateway.url}/mcp?mode=search`;
  token = await world.token('alice');
  await eventually(async () => (await find('issue')).length > 0 || undefined, 'the tools are known');
}, 60_000);
afterAll(async () => {
  await world.close();
  await Promise.all([forge.close(), upstream.close()]);
});

const callTool = (name: string, values?: unknown, headers = {}, at = url): Promise<RawAnswer> =>
  modern(at, token, 'tools/call', { name, ...(values !== undefined && { arguments: values }) }, headers);
const findRaw = (values: unknown): Promise<RawAnswer> => callTool('find_tool', values);
async function find(query: string, limit?: number, at = url): Promise<FoundTool[]> {
  const { json } = await callTool('find_tool', { query, ...(limit && { limit }) }, {}, at);
  const { structuredContent, content } = json.result as {
    structuredContent: { tools: FoundTool[] };
    content: { text: string }[];
  };
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
  return structuredContent.tools;
}
const findNames = async (query: string, limit?: number) => (await find(query, limit)).map(({ name }) => name);
const listRecords = (tool: string): TestRecord[] =>
  [...world.manager.records.values()].filter((record) => record['tool_name'] === tool);

describe('a stock client in search mode', () => {
  it.each([
    ['with a session', {}],
    ['without a session', MODERN],
  ])('%s finds and calls tools', async (_, options) => {
    const client = await world.client(url, token, options);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['find_tool', 'call_tool']);
    const found = await client.callTool({ name: 'find_tool', arguments: { query: 'open a new issue' } });
    const [tool] = (found.structuredContent as { tools: FoundTool[] }).tools;
    expect(tool).toEqual({ ...TOOLS[1], name: 'forge__create_issue' });
    const result = await client.callTool({
      name: 'call_tool',
      arguments: { name: tool!.name, arguments: { title: 'a' } },
    });
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(received.at(-1)!.message.params).toMatchObject({ name: 'create_issue', arguments: { title: 'a' } });
  });

  it('gets the progress of the called tool', async () => {
    const client = await world.client(url, token);
    const seen: number[] = [];
    await client.callTool(
      { name: 'call_tool', arguments: { name: `other__${upstream.tools.progress}`, arguments: { steps: 3 } } },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it.each([
    ['with a session', {}],
    ['without a session', MODERN],
  ])('%s answers the question of the called tool', async (_, options) => {
    const client = await world.client(url, token, { ...options, capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    const { content } = await client.callTool({ name: 'call_tool', arguments: { name: 'forge__ask' } });
    expect(JSON.stringify(content)).toContain('accept');
  });

  it('cancels the called tool', async () => {
    const client = await world.client(url, token, { capabilities: { elicitation: { form: {} } } });
    const abort = new AbortController();
    client.setRequestHandler('elicitation/create', () => {
      abort.abort();
      return new Promise(() => undefined);
    });
    const call = client.callTool({ name: 'call_tool', arguments: { name: 'forge__ask' } }, { signal: abort.signal });
    await expect(call).rejects.toThrow();
    await eventually(() => cancelled.length > 0 || undefined, 'the upstream is told');
    expect(cancelled).toEqual([asking!.id]);
  });

  it('has the prompts and resources of the user', async () => {
    for (const method of ['prompts/list', 'resources/list'])
      expect((await modern(url, token, method)).json.result).toEqual(
        (await modern(`${gateway.url}/mcp`, token, method)).json.result,
      );
  });

  it('learns that its tools never change', async () => {
    const { json } = await modern(url, token, 'server/discover');
    expect(json.result).toMatchObject({ capabilities: { tools: {}, prompts: { listChanged: true } } });
    expect((json.result as { capabilities: { tools: object } }).capabilities.tools).toEqual({});
  });
});

describe('a subscription in search mode', () => {
  it('is not told of changed tools', async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true, promptsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('acknowledged')) text += (await reader.read()).value ?? '';
    expect(text).toContain('"notifications":{"promptsListChanged":true}');
    await reader.cancel();
  });
});

describe('find_tool', () => {
  it('has at most the requested number of tools, the best one first', async () => {
    expect(await findNames('create issue', 1)).toEqual(['forge__create_issue']);
    expect((await findNames('issue repository region', 1_000)).length).toBeGreaterThan(2);
  });

  it('uses the own names of a connector at its endpoint', async () => {
    const tools = await find('create issue', 1, `${gateway.url}/mcp/forge?mode=search`);
    expect(tools.map(({ name }) => name)).toEqual(['create_issue']);
  });

  it('finds a tool without its schema if that is too large', async () => {
    const [tool] = await find('gigantic specification');
    expect(tool).toMatchObject({ name: 'forge__enormous', inputSchema: { type: 'object' } });
    expect(tool!.description).toContain('too large to be shown');
  });

  it.each([
    [undefined],
    [{}],
    [{ query: '' }],
    [{ query: 7 }],
    [{ query: 'x'.repeat(501) }],
    [{ query: 'x', limit: 0 }],
    [{ query: 'x', limit: 1.5 }],
    [{ query: 'x', other: 1 }],
  ])('explains the wrong arguments %j to the model', async (values) => {
    const { json } = await findRaw(values);
    expect(json.result).toMatchObject({ isError: true });
  });

  it.each(['.*', '((((((', '\\', '%_', '🦊', '"; DROP TABLE', '__proto__', 'constructor', '\u0000', 'ﷺ'.repeat(500)])(
    'answers the query %j',
    async (query) => {
      expect(Array.isArray(await find(query))).toBe(true);
    },
  );
});

describe('the rights of the user in search mode', () => {
  it('hide tools of a connector without a grant, and narrowed tools at once', async () => {
    expect((await findNames('issue repository', 20)).filter((name) => name.startsWith('hidden'))).toEqual([]);
    expect(await findNames('delete repository', 1)).toEqual(['forge__delete_repository']);
    world.manager.toggle(alice, connector, true, ['delete_repository']);
    await world.applyChanges();
    expect(await findNames('delete repository', 20)).not.toContain('forge__delete_repository');
    const calls = received.length;
    const refused = await callTool('call_tool', { name: 'forge__delete_repository' });
    expect(refused.text).toBe((await callTool('call_tool', { name: 'forge__unknown' })).text);
    expect(refused.text).toBe((await callTool('call_tool', { name: 'hidden__create_issue' })).text);
    expect(refused.text).toBe((await modern(`${gateway.url}/mcp`, token, 'tools/call', { name: 'no' })).text);
    expect(received).toHaveLength(calls);
    world.manager.toggle(alice, connector, true);
    await world.applyChanges();
  });

  it.each(['forge__create_issue', 'create_issue', 'hidden__create_issue', 'tools/list'])(
    'do not let a client call %s without call_tool',
    async (name) => {
      const calls = received.length;
      const { json } = await callTool(name, {});
      expect(json.error).toMatchObject({ message: 'unknown tool' });
      expect(received).toHaveLength(calls);
    },
  );

  it.each(['find_tool', 'call_tool'])('do not let call_tool call %s', async (name) => {
    expect((await callTool('call_tool', { name, arguments: { query: 'x' } })).json.error).toMatchObject({
      message: 'unknown tool',
    });
  });
});

describe('call_tool', () => {
  it.each([[undefined], [{}], [{ name: 7 }], [{ name: 'forge__create_issue', arguments: [] }]])(
    'refuses the arguments %j',
    async (values) => {
      expect((await callTool('call_tool', values)).json.error).toMatchObject({ code: -32602 });
    },
  );

  it('is recorded as the tool that it calls', async () => {
    await modern(`${gateway.url}/mcp`, token, 'tools/call', { name: 'forge__list_issues', arguments: { a: 1 } });
    await callTool('call_tool', { name: 'forge__list_issues', arguments: { a: 1 } });
    await find('issue');
    await eventually(() => listRecords('list_issues').length === 2 || undefined, 'both calls are recorded');
    const [direct, searched] = listRecords('list_issues').map(
      ({ call_id, occurred_at, duration_ms, ...facts }) => facts as Record<string, unknown>,
    );
    expect(searched).toEqual(direct);
    expect(searched).toMatchObject({ connector_id: connector.id });
    const own = ['find_tool', 'call_tool'].flatMap(listRecords).filter(({ decision }) => decision !== 'denied');
    expect(own).toEqual([]);
  });

  it('sends the headers of marked arguments, and refuses a contradicting one of its client', async () => {
    const values = { name: 'forge__deploy', arguments: { region: 'eu' } };
    expect((await callTool('call_tool', values)).json.result).toBeDefined();
    expect(received.at(-1)!.headers['mcp-param-region']).toBe('eu');
    const { json } = await callTool('call_tool', values, { 'mcp-param-region': 'us' });
    expect(json.error).toMatchObject({ message: expect.stringContaining('mcp-param-region') });
  });

  it('is subject to the limits of the gateway', async () => {
    world.manager.settings = {
      ...UNLIMITED_SETTINGS,
      limits: { ...UNLIMITED_SETTINGS.limits, max_argument_bytes: 50 },
      connectors: {},
    };
    world.manager.notifyChange();
    await eventually(() => world.manager.isPublishedAt(1) || undefined, 'the gateway has the settings');
    const title = 'x'.repeat(100);
    const { json } = await callTool('call_tool', { name: 'forge__create_issue', arguments: { title } });
    expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining('50 bytes') });
  });
});

describe('the query parameter mode', () => {
  it.each(['mode=', 'mode=all', 'mode=Search', 'mode=search&mode=search', 'mode=search&mode=x'])(
    'is 400 for %s',
    async (query) => {
      const response = await post(
        `${gateway.url}/mcp?${query}`,
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        { authorization: `Bearer ${token}` },
      );
      expect(response.status).toBe(400);
      expect(response.text).toContain('mode must be search');
    },
  );

  it('is bound to the session', async () => {
    const search = await initialize(url, token);
    const plain = await initialize(`${gateway.url}/mcp`, token);
    expect((await inSession(url, token, search, 'ping')).status).toBe(200);
    expect((await inSession(`${gateway.url}/mcp`, token, search, 'ping')).status).toBe(404);
    expect((await inSession(url, token, plain, 'ping')).status).toBe(404);
  });
});
