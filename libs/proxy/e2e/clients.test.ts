/** The official clients against servers of other authors, through both kinds of proxy. */
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from '@jest/globals';
import { startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { everything, findPort, startEverything } from './everything-server.ts';
import { runAtEnd, waitUntil, createScriptedSpawner, createSpawner, startProxy } from './harness.ts';

async function overStdio() {
  const server = createSpawner([everything, 'stdio']);
  return { ...(await startProxy({ upstream: { kind: 'stdio', openProcess: server.openProcess } })), ...server };
}

const overHttp = () => startListening('streamable-http');
const overSse = () => startListening('sse');

/** Starts a server that listens, and a proxy in front of it. */
async function startListening(transport: 'streamable-http' | 'sse') {
  const port = await findPort();
  await startEverything(transport, port);
  return startProxy({ upstream: { kind: 'http', url: `http://127.0.0.1:${port}`, transport } });
}

interface Heard {
  progress: number[];
  logs: unknown[];
  updated: string[];
}

async function connected(url: string, capabilities: object = {}) {
  const client = new Client({ name: 'stock', version: '1' }, { capabilities });
  const heard: Heard = { progress: [], logs: [], updated: [] };
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.logs.push(params.data));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.updated.push(params.uri));
  // Old servers and clients still use this transport.
  /* eslint-disable @typescript-eslint/no-deprecated */
  const transport = url.endsWith('/sse')
    ? new SSEClientTransport(new URL(url))
    : new StreamableHTTPClientTransport(new URL(url));
  /* eslint-enable @typescript-eslint/no-deprecated */
  await client.connect(transport);
  runAtEnd(() => client.close());
  return { client, transport, heard };
}

const getText = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n');

describe.each([
  ['over stdio', overStdio],
  ['over streamable HTTP', overHttp],
  ['over SSE', overSse],
])('the v1 client and server-everything %s', (_name, start) => {
  it('lists and calls tools, reads resources and gets prompts', async () => {
    const { client } = await connected((await start()).url);
    expect(client.getServerVersion()?.name).toBeDefined();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(getText(await client.callTool({ name: 'echo', arguments: { message: 'hi' } }))).toBe('Echo: hi');
    const { resources } = await client.listResources();
    expect((await client.readResource({ uri: resources[0]!.uri })).contents).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(
      (await client.getPrompt({ name: prompts.find(({ arguments: needs }) => !needs?.length)!.name })).messages,
    ).not.toHaveLength(0);
    await client.ping();
  });

  it('receives progress of a long operation and can cancel it', async () => {
    const { client, heard } = await connected((await start()).url);
    const call = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } };
    await client.callTool(call, undefined, { onprogress: ({ progress }) => heard.progress.push(progress) });
    // The SSE client drops progress that arrives in one piece with the result.
    expect(heard.progress.slice(0, 3)).toEqual([1, 2, 3]);
    const controller = new AbortController();
    const given = client.callTool({ ...call, arguments: { duration: 60, steps: 60 } }, undefined, {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 100);
    await expect(given).rejects.toThrow();
    expect(getText(await client.callTool({ name: 'echo', arguments: { message: 'still here' } }))).toBe(
      'Echo: still here',
    );
  });

  it('answers requests of the server: sampling, elicitation and roots', async () => {
    const { client } = await connected((await start()).url, {
      sampling: {},
      elicitation: {},
      roots: { listChanged: true },
    });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'test',
      content: { type: 'text', text: 'sampled' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/stock', name: 'home' }] }));
    await waitUntil(
      async () => (await client.listTools()).tools.map(({ name }) => name),
      (names) => names.includes('trigger-sampling-request') && names.includes('trigger-elicitation-request'),
    );
    expect(
      getText(await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'x', maxTokens: 5 } })),
    ).toContain('sampled');
    expect(getText(await client.callTool({ name: 'trigger-elicitation-request', arguments: {} }))).toMatch(/declin/i);
    expect(getText(await client.callTool({ name: 'get-roots-list', arguments: {} }))).toContain('file:///home/stock');
  });

  it('receives changes of a subscribed resource and ends its session', async () => {
    const { url, proxy } = await start();
    const { client, transport, heard } = await connected(url);
    const { resources } = await client.listResources();
    const { uri } = resources[0]!;
    await client.subscribeResource({ uri });
    await client.callTool({ name: 'toggle-subscriber-updates', arguments: {} });
    await waitUntil(
      () => heard.updated,
      (uris) => uris.includes(uri),
    );
    await ('terminateSession' in transport ? transport.terminateSession() : client.close());
    await waitUntil(
      () => proxy.health().sessions,
      (count) => count === 0,
    );
  });
});

describe('several v1 clients of one stdio server', () => {
  it('receive their own responses to concurrent requests', async () => {
    const { url, children } = await overStdio();
    const clients = await Promise.all(Array.from({ length: 5 }, () => connected(url)));
    const calls = clients.flatMap(({ client }, at) =>
      Array.from({ length: 40 }, async (_, turn) => {
        const message = `${at}/${turn}`;
        expect(getText(await client.callTool({ name: 'echo', arguments: { message } }))).toBe(`Echo: ${message}`);
      }),
    );
    await Promise.all(calls);
    expect(children).toHaveLength(1);
  });
});

describe.each([
  ['a server of the legacy era', () => createSpawner([everything, 'stdio'])],
  ['a server of both eras', () => createSpawner([fileURLToPath(new URL('./official-server.mjs', import.meta.url))])],
  ['a generated server of the legacy era', () => createScriptedSpawner()],
  ['a generated server of the modern era', () => createScriptedSpawner('--modern')],
])('the v2 client and %s', (_name, make) => {
  const eras = ['legacy', { pin: '2026-07-28' }, 'auto'] as const;
  it.each(eras.map((mode) => [mode]))('communicates through the bridge in the era %j', async (mode) => {
    const { url } = await startProxy({ upstream: { kind: 'stdio', openProcess: make().openProcess } });
    const client = new ModernClient({ name: 'stock', version: '2' }, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(new URL(url)));
    runAtEnd(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(getText(await client.callTool({ name: 'echo', arguments: { message: 'hi' } }))).toMatch(/hi$/);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
  });
});

describe('the v2 client and a server that speaks HTTP', () => {
  it.each([['legacy' as const], [{ pin: '2026-07-28' as const }]])(
    'communicate through the proxy in the era %j',
    async (mode) => {
      const server = await startMcpUpstream();
      runAtEnd(() => server.close());
      const { url } = await startProxy({ upstream: { kind: 'http', url: server.url } });
      const client = new ModernClient({ name: 'stock', version: '2' }, { versionNegotiation: { mode } });
      await client.connect(new ModernTransport(new URL(url)));
      runAtEnd(() => client.close());
      const text = 'through';
      expect(getText(await client.callTool({ name: server.tools.echo, arguments: { text } }))).toBe(text);
      const progress: number[] = [];
      const steps = { name: server.tools.progress, arguments: { steps: 3 } };
      await client.callTool(steps, { onprogress: (at) => progress.push(at.progress) });
      expect(progress).toEqual([1, 2, 3]);
      expect(server.calls('tools/call').map(({ era }) => era)).toEqual(
        Array(2).fill(mode === 'legacy' ? mode : 'modern'),
      );
    },
  );

  it('go on when the server has lost their sessions', async () => {
    const server = await startMcpUpstream({ eras: 'legacy' });
    runAtEnd(() => server.close());
    const { url, proxy } = await startProxy({ upstream: { kind: 'http', url: server.url } });
    const open = async () => {
      const client = new ModernClient({ name: 'stock', version: '2' });
      await client.connect(new ModernTransport(new URL(url)));
      runAtEnd(() => client.close());
      return client;
    };
    const first = await open();
    await server.loseSessions();
    expect((await first.listTools()).tools).not.toHaveLength(0);
    expect((await (await open()).listTools()).tools).not.toHaveLength(0);
    expect(proxy.health().sessions).toBeGreaterThan(0);
  });
});
