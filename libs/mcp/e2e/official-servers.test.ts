import { afterEach, describe, expect, it } from '@jest/globals';
import { type McpUpstream, type McpUpstreamOptions, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { SessionLostError } from '../src/client/connection-errors.ts';
import { callTool, closeAll, exchange, open } from './client.ts';

const servers: McpUpstream[] = [];
async function start(options: McpUpstreamOptions = {}): Promise<McpUpstream> {
  const server = await startMcpUpstream(options);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const KINDS = [
  { title: 'a server of both eras', options: { eras: 'both' }, era: 'modern', hasSession: false },
  { title: 'a modern server', options: { eras: 'modern' }, era: 'modern', hasSession: false },
  { title: 'a legacy server with sessions', options: { eras: 'legacy' }, era: 'legacy', hasSession: true },
  {
    title: 'a legacy server without sessions',
    options: { eras: 'legacy', sessions: false },
    era: 'legacy',
    hasSession: false,
  },
] as const;

describe.each(KINDS)('a connection to $title made with the official library', ({ options, era, hasSession }) => {
  it('finds the era and calls a tool', async () => {
    const server = await start(options);
    const { connection } = await open(server.url);
    expect([connection.era, connection.hasSession]).toEqual([era, hasSession]);
    expect(connection.server).toMatchObject({ serverInfo: { name: server.serverName }, capabilities: { tools: {} } });
    expect(await callTool(connection, server.tools.echo, { text: 'hi' })).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
  });

  it('reports progress with the token of the caller', async () => {
    const server = await start(options);
    const { connection } = await open(server.url);
    const tokens: unknown[] = [];
    await callTool(
      connection,
      server.tools.progress,
      { steps: 3 },
      {
        progressToken: 'mine',
        onNotification: ({ params }) => tokens.push([params?.['progressToken'], params?.['progress']]),
      },
    );
    expect(tokens).toEqual([
      ['mine', 1],
      ['mine', 2],
      ['mine', 3],
    ]);
  });

  it('sends the credential of the moment with each request', async () => {
    const server = await start({ ...options, bearer: 'one' });
    let bearer = 'one';
    const { connection } = await open(server.url, { createHeaders: () => ({ authorization: `Bearer ${bearer}` }) });
    await connection.request('tools/list', undefined, exchange());
    server.demand({ name: 'authorization', value: 'Bearer two' });
    await expect(connection.request('tools/list', undefined, exchange())).rejects.toMatchObject({
      status: 401,
      mayHaveRun: false,
      wwwAuthenticate: 'Bearer error="invalid_token"',
    });
    bearer = 'two';
    expect(await connection.request('tools/list', undefined, exchange())).toHaveProperty('result.tools');
  });

  it('delivers changes of lists on the standalone stream', async () => {
    const server = await start(options);
    const { promise: changed, resolve } = Promise.withResolvers<string>();
    const { connection } = await open(server.url, { onNotification: ({ method }) => resolve(method) });
    await connection.openStandaloneStream();
    if (!hasSession && era === 'legacy') return;
    server.setExtraTools(['extra']);
    expect(await changed).toBe('notifications/tools/list_changed');
  });

  it('skips the discovery with a known era', async () => {
    const server = await start(options);
    const first = await open(server.url);
    const before = server.calls().length;
    const knownEra = JSON.parse(JSON.stringify(first.connection.knownEra));
    const { connection } = await open(server.url, { knownEra });
    expect(connection.server).toEqual(first.connection.server);
    expect(await callTool(connection, server.tools.echo, { text: 'hi' })).toHaveProperty('content');
    expect(server.calls().slice(before)[0]?.method).toBe(era === 'modern' ? 'tools/call' : 'initialize');
  });
});

describe('a session of a legacy server', () => {
  it('is lost when the server answers 404', async () => {
    const server = await start({ eras: 'legacy' });
    const { connection, ends } = await open(server.url);
    await server.loseSessions();
    const lost = connection.request('tools/list', undefined, exchange());
    await expect(lost).rejects.toBeInstanceOf(SessionLostError);
    await expect(connection.request('tools/list', undefined, exchange())).rejects.toMatchObject({ mayHaveRun: false });
    expect(ends).toHaveLength(1);
  });

  it('ends with a DELETE when the connection closes', async () => {
    const server = await start({ eras: 'legacy' });
    const { connection } = await open(server.url);
    const session = server.calls('notifications/initialized')[0]?.session ?? '';
    await connection.close();
    const again = await open(server.url, { createHeaders: () => ({}) });
    expect(again.connection.hasSession).toBe(true);
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'mcp-session-id': session, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect(response.status).toBe(404);
    await response.text();
  });
});
