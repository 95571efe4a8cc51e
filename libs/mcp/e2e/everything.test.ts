import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AnswerRequest } from '../src/client/connection.ts';
import { callTool, closeAll, exchange, open } from './client.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const children: ChildProcess[] = [];

/** Starts server-everything, and resolves when it listens. */
async function start(transport: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, transport], {
    env: { PORT: String(port), PATH: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      if (/running on port|listening on port/i.test(text.toString())) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error('server-everything has ended')));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

afterEach(closeAll);
afterAll(() => Promise.all(children.map(kill)));

const TRANSPORTS = [
  { kind: 'streamableHttp', transport: 'streamable-http', path: '/mcp', hasSession: true },
  { kind: 'sse', transport: 'sse', path: '/sse', hasSession: false },
] as const;

const answer: AnswerRequest = ({ method }) => {
  const content = { type: 'text', text: 'sampled' };
  const result =
    method === 'elicitation/create'
      ? { action: 'accept', content: { name: 'Ann' } }
      : method === 'roots/list'
        ? { roots: [{ uri: 'file:///work' }] }
        : { role: 'assistant', content, model: 'm' };
  return Promise.resolve({ jsonrpc: '2.0', id: 0, result });
};

describe.each(TRANSPORTS)('server-everything over $transport', ({ kind, transport, path, hasSession }) => {
  let url = '';
  let child: ChildProcess;
  const connect = async (options: Parameters<typeof open>[1] = {}) => {
    if (url === '') {
      const port = await freePort();
      child = await start(kind, port);
      url = `http://127.0.0.1:${port}${path}`;
    }
    return open(url, { transport, ...options });
  };

  it('serves lists, tools, prompts, resources and completions', async () => {
    const { connection } = await connect();
    expect(connection).toMatchObject({
      era: 'legacy',
      hasSession,
      server: { capabilities: { tools: {}, logging: {} } },
    });
    for (const kindOfList of ['tools', 'prompts', 'resources'])
      expect(await connection.request(`${kindOfList}/list`, {}, exchange())).toHaveProperty(`result.${kindOfList}`);
    expect(await callTool(connection, 'get-sum', { a: 2, b: 3 })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('5') }],
    });
    const ref = { type: 'ref/prompt', name: 'completable-prompt' };
    const completion = { ref, argument: { name: 'department', value: 'E' } };
    expect(await connection.request('completion/complete', completion, exchange())).toHaveProperty(
      'result.completion.values',
    );
    expect(await connection.request('unknown/method', {}, exchange())).toMatchObject({ error: { code: -32601 } });
  });

  it('reports the progress of several calls at once to the right ones', async () => {
    const { connection } = await connect();
    const calls = [1, 2, 3].map(async (steps) => {
      const seen: unknown[] = [];
      await callTool(
        connection,
        'trigger-long-running-operation',
        { duration: 0.3, steps },
        {
          progressToken: `call ${steps}`,
          onNotification: ({ params }) => seen.push([params?.['progressToken'], params?.['progress']]),
        },
      );
      return seen;
    });
    expect(await Promise.all(calls)).toEqual(
      [1, 2, 3].map((steps) => Array.from({ length: steps }, (_, at) => [`call ${steps}`, at + 1])),
    );
  });

  it('asks the client of the call for input and for a sample', async () => {
    const { connection } = await connect({
      capabilities: { elicitation: {}, sampling: {}, roots: {} },
      onRequest: answer,
    });
    const parts = { onRequest: answer };
    expect(await callTool(connection, 'trigger-elicitation-request', {}, parts)).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('Ann') })]),
    });
    expect(await callTool(connection, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 }, parts)).toMatchObject(
      {
        content: [{ text: expect.stringContaining('sampled') }],
      },
    );
  });

  it('reports updates of a resource that the client has subscribed to', async () => {
    const { promise: updated, resolve } = Promise.withResolvers<unknown>();
    const { connection } = await connect({
      onNotification: ({ method, params }) => method === 'notifications/resources/updated' && resolve(params?.['uri']),
    });
    await connection.openStandaloneStream();
    const uri = 'demo://resource/dynamic/text/1';
    expect(await connection.request('resources/subscribe', { uri }, exchange())).toHaveProperty('result');
    await callTool(connection, 'toggle-subscriber-updates', {}, {});
    expect(await updated).toBe(uri);
  }, 30_000);

  it('loses its calls when it is killed, and serves a new connection after its start', async () => {
    const { connection } = await connect();
    const { promise: started, resolve: reportStart } = Promise.withResolvers<undefined>();
    const call = callTool(
      connection,
      'trigger-long-running-operation',
      { duration: 60, steps: 600 },
      {
        progressToken: 1,
        onNotification: () => reportStart(undefined),
      },
    );
    const failed = expect(call).rejects.toMatchObject({ code: 'stream_broken', mayHaveRun: true });
    await started;
    const { port } = new URL(url);
    await kill(child);
    await failed;
    await expect(connection.request('ping', undefined, exchange())).rejects.toMatchObject({ mayHaveRun: false });
    child = await start(kind, Number(port));
    await expect(connection.request('ping', undefined, exchange())).rejects.toMatchObject({ code: 'session_lost' });
    const again = await connect();
    expect(await callTool(again.connection, 'echo', { message: 'back' })).toMatchObject({
      content: [{ text: 'Echo: back' }],
    });
  }, 60_000);
});
