import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type McpUpstream, startMcpUpstream } from './mcp-upstream.ts';

let upstream: McpUpstream;
let client: Client;

async function connect(mode: 'legacy' | 'auto'): Promise<Client> {
  const fresh = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await fresh.connect(new StreamableHTTPClientTransport(new URL(upstream.url)));
  return fresh;
}

describe.each([
  { era: 'legacy', mode: 'legacy' },
  { era: 'modern', mode: 'auto' },
] as const)('an upstream and the stock client of the $era era', ({ era, mode }) => {
  beforeEach(async () => {
    upstream = await startMcpUpstream({ slowMs: 20, extraTools: ['extra'] });
    client = await connect(mode);
  });
  afterEach(async () => {
    await client.close();
    await upstream.close();
  });

  it('lists its tools under random names, and reports its name', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([...Object.values(upstream.tools), 'extra'].sort());
    expect(client.getServerVersion()?.name).toBe(upstream.serverName);
  });

  it('echoes a text, and records the call with its era', async () => {
    const result = await client.callTool({ name: upstream.tools.echo, arguments: { text: 'hello' } });
    expect(result.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(upstream.calls('tools/call')).toMatchObject([
      { era, tool: upstream.tools.echo, arguments: { text: 'hello' } },
    ]);
  });

  it('answers after a delay, with a tool error, and with progress', async () => {
    const late = await client.callTool({ name: upstream.tools.slow, arguments: { text: 'late' } });
    expect(late.content).toEqual([{ type: 'text', text: 'late' }]);
    const failed = await client.callTool({ name: upstream.tools.failing, arguments: {} });
    expect(failed.isError).toBe(true);
    const seen: number[] = [];
    await client.callTool(
      { name: upstream.tools.progress, arguments: { steps: 3 } },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it('lists tools that a test adds later', async () => {
    upstream.setExtraTools(['other']);
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).toContain('other');
    expect(names).not.toContain('extra');
  });
});

describe('a broken upstream', () => {
  beforeEach(async () => {
    upstream = await startMcpUpstream({ bearer: 'secret' });
  });
  afterEach(() => upstream.close());

  const post = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(upstream.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });

  it('refuses a request without its token, and every request after refuse(true)', async () => {
    const authorization = 'Bearer secret';
    expect((await post()).status).toBe(401);
    const welcome = await post({ authorization });
    expect(welcome.status).toBe(200);
    await welcome.text();
    upstream.refuse(true);
    const refused = await post({ authorization });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('loses its sessions as in a restart', async () => {
    const authorization = 'Bearer secret';
    const opened = await post({ authorization });
    await opened.text();
    const session = opened.headers.get('mcp-session-id')!;
    expect(session).toBeTruthy();
    await upstream.loseSessions();
    expect((await post({ authorization, 'mcp-session-id': session })).status).toBe(404);
  });

  it('answers like a server that does not support MCP', async () => {
    upstream.answerWith({ status: 200, body: '<h1>hello</h1>' });
    const response = await post();
    expect(await response.text()).toBe('<h1>hello</h1>');
  });
});

it('supports only the requested era', async () => {
  const legacyOnly = await startMcpUpstream({ eras: 'legacy' });
  const modernOnly = await startMcpUpstream({ eras: 'modern' });
  try {
    upstream = legacyOnly;
    const downgraded = await connect('auto');
    expect((await downgraded.listTools()).tools).toHaveLength(4);
    expect(new Set(legacyOnly.calls('tools/list').map((call) => call.era))).toEqual(new Set(['legacy']));
    await downgraded.close();
    upstream = modernOnly;
    await expect(connect('legacy')).rejects.toThrow();
  } finally {
    await legacyOnly.close();
    await modernOnly.close();
  }
});
