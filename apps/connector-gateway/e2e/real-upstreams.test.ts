import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProxy } from '@gatehouse/proxy/proxy';
import { describeWhen } from '@gatehouse/testing/fixture';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { mcpPython } from '@gatehouse/testing/python-environment';
import type { Client } from '@modelcontextprotocol/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readText } from './support/stock-clients.ts';
import { eventually, MODERN, World } from './support/world.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

let world: World;
let token: string;
let endpoint: string;
let alice: ReturnType<World['manager']['addUser']>;

beforeAll(async () => {
  world = await World.start();
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  token = await world.token('alice');
  endpoint = `${(await world.gateway()).url}/mcp`;
}, 60_000);

afterAll(() => world.close());

/** Adds a connector that alice may use, and waits until a tool of it is listed. */
async function addConnector(slug: string, url: string, transport: 'streamable-http' | 'sse'): Promise<void> {
  world.manager.toggle(alice, world.manager.addConnector({ slug, endpoint: url, transport }, ['all']), true);
  const client = await world.client(endpoint, token, MODERN);
  const isListed = async () =>
    (await client.listTools()).tools.some(({ name }) => name.startsWith(`${slug}__`)) ? true : undefined;
  await eventually(isListed, `${slug} is listed`);
}

/** Starts server-everything and waits until it listens. */
async function startEverything(transport: 'streamableHttp' | 'sse', port: number): Promise<TestProcess> {
  const env = { PORT: String(port) };
  const server = await startProcess({ command: [process.execPath, program, transport], env });
  await eventually(() => (server.stderr().includes(`on port ${port}`) ? true : undefined), 'the server listens');
  return server;
}

describe.each([
  ['streamable HTTP', 'streamableHttp', 'streamable-http', 'mcp'],
  ['SSE', 'sse', 'sse', 'sse'],
] as const)('server-everything over %s', (_, kind, transport, path) => {
  const slug = kind.toLowerCase();
  let port: number;
  let server: TestProcess;
  let clients: Client[];

  beforeAll(async () => {
    port = await freePort();
    server = await startEverything(kind, port);
    await addConnector(slug, `http://127.0.0.1:${port}/${path}`, transport);
    clients = [await world.client(endpoint, token), await world.client(endpoint, token, MODERN)];
  }, 120_000);
  afterAll(() => server.killHard());

  const echo = async (client: Client, message: string) =>
    readText(await client.callTool({ name: `${slug}__echo`, arguments: { message } }));

  it('serves tools, prompts and resources to clients of both eras', async () => {
    for (const client of clients) {
      expect(await echo(client, 'hi')).toBe('Echo: hi');
      const { prompts } = await client.listPrompts();
      const { name } = prompts.find((prompt) => prompt.name.startsWith(`${slug}__`) && !prompt.arguments?.length)!;
      expect((await client.getPrompt({ name })).messages).not.toHaveLength(0);
      const [resource] = (await client.listResources()).resources;
      expect((await client.readResource({ uri: resource!.uri })).contents).toHaveLength(1);
    }
  });

  it('reports progress to each caller', async () => {
    const call = { name: `${slug}__trigger-long-running-operation`, arguments: { duration: 1, steps: 2 } };
    const all = clients.map(async (client) => {
      const progress: number[] = [];
      await client.callTool(call, { onprogress: (at) => progress.push(at.progress) });
      return progress;
    });
    expect(await Promise.all(all)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('may be killed during a call: the call fails, and a new server is used', async () => {
    const client = clients[0]!;
    const call = { name: `${slug}__trigger-long-running-operation`, arguments: { duration: 60, steps: 600 } };
    let outcome: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      outcome = client.callTool(call, { onprogress: () => resolve() }).then(
        ({ isError }) => isError,
        () => true,
      );
    });
    await server.killHard();
    expect(await outcome).toBe(true);
    server = await startEverything(kind, port);
    const isBack = async () => ((await echo(client, 'again')) === 'Echo: again' ? true : undefined);
    await eventually(isBack, 'the new server answers');
  });
});

describeWhen(await mcpPython(), 'mcp-server-time', (python) => {
  const proxy = createProxy({ upstream: { kind: 'stdio', openProcess: openTimeServer }, log: () => undefined });

  beforeAll(async () => addConnector('time', (await proxy.listen()).url, 'streamable-http'), 120_000);
  afterAll(() => proxy.close(0));

  function openTimeServer() {
    const child = spawn(python, ['-m', 'mcp_server_time'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    const stop = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    return Promise.resolve({ input: child.stdin, output: child.stdout, stop });
  }

  it('tells the time to clients of both eras', async () => {
    for (const client of [await world.client(endpoint, token), await world.client(endpoint, token, MODERN)]) {
      const call = { name: 'time__get_current_time', arguments: { timezone: 'UTC' } };
      expect(JSON.parse(readText(await client.callTool(call)))).toMatchObject({ timezone: 'UTC' });
    }
  });

  it('reports wrong arguments as an error of the tool', async () => {
    const client = await world.client(endpoint, token, MODERN);
    const call = { name: 'time__get_current_time', arguments: { timezone: 'Nowhere/Land' } };
    expect(await client.callTool(call)).toMatchObject({ isError: true });
  });
});
