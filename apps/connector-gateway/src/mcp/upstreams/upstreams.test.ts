import { afterEach, describe, expect, it } from '@jest/globals';
import { ContractViolationError } from '@gatehouse/service-kit/received';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { Agent } from 'undici';
import type { Connector } from '../ports/snapshot.ts';
import { DEFAULT_LIMITS } from '../ports/limits.ts';
import { createTarget } from './credential-identity.ts';
import { NO_CREDENTIAL } from './credentials.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';
import { type Listing, Upstreams } from './upstreams.ts';

const CONNECTOR: Connector = {
  id: '7e7ad4b6-6f6c-4a6c-9f0e-0a53a3f7c1d2',
  slug: 'one',
  name: 'One',
  endpoint: 'http://upstream.test/mcp',
  transport: 'streamable-http',
  auth: { type: 'none' },
  allow_private_ips: false,
};
const KINDS: readonly (keyof Listing)[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];
const BREAKER_OPEN = 'is failing and is not called for a while';

interface UpstreamRequest {
  id?: number;
  method: string;
}

const USER_BREAKER_OPEN = 'refused or failed your last requests and is not called again for a while';
const TIMES = DEFAULT_LIMITS.breakerThreshold;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Starts an upstream that answers with a function. If it throws, the connection breaks. */
async function startUpstream(respond: (request: UpstreamRequest) => Response): Promise<string> {
  const server = createServer((request, response) => {
    void readText(request).then(async (text) => {
      const { method = '' } = request;
      try {
        const answer = respond(method === 'POST' ? (JSON.parse(text) as UpstreamRequest) : { method });
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      } catch {
        response.destroy();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The upstreams of a gateway with one connector, whose upstream answers with a function. */
async function upstreamsThatAnswer(respond: (request: UpstreamRequest) => Response) {
  let time = 0;
  const connector = { ...CONNECTOR, endpoint: await startUpstream(respond) };
  const upstreams = new Upstreams({
    openDialer: () => {
      const agent = new Agent();
      return { dispatcher: agent, credential: NO_CREDENTIAL, close: () => agent.destroy() };
    },
    limits: DEFAULT_LIMITS,
    now: () => time,
    onResourceUpdated: () => undefined,
    onTaskUpdated: () => undefined,
    onListChanged: () => undefined,
  });
  closers.unshift(() => upstreams.close());
  /** The results of concurrent fetches of these lists: the entries, or the failure. */
  const look = (kinds: readonly (keyof Listing)[]) =>
    Promise.all(
      kinds.map((kind) =>
        upstreams.list({ connector, identity: 'connector' }, kind, 10_000).then(
          (list) => list.length,
          (error: unknown) => (error as Error).message,
        ),
      ),
    );
  /** The result of a call of one user: `ok`, or why it failed. */
  const call = (user: string): Promise<string> =>
    upstreams
      .call(
        { connector, identity: 'connector' },
        { key: `person ${user}`, user, capabilities: {} },
        (upstream) => upstream.request('prompts/get', { name: 'p' }, { signal: new AbortController().signal }),
        () => false,
      )
      .then(
        () => 'ok',
        (error: unknown) => (error instanceof UpstreamUnavailableError ? error.message : 'failed'),
      );
  return { upstreams, look, call, advance: (ms: number) => (time += ms) };
}

/** A legacy upstream with one tool, which announces prompts and resources that it cannot list. */
function halfBroken({ id, method }: UpstreamRequest): Response {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'half', version: '1' },
    },
    'tools/list': { tools: [{ name: 'only', inputSchema: { type: 'object' } }] },
  };
  if (id === undefined) return new Response(null, { status: method === 'GET' ? 405 : 202 });
  const outcome = Object.hasOwn(results, method)
    ? { result: results[method] }
    : { error: { code: -32603, message: 'Internal error' } };
  return Response.json({ jsonrpc: '2.0', id, ...outcome });
}

describe('Upstreams with an invalid authentication', () => {
  it('refuse lists and calls without a request', async () => {
    let requests = 0;
    const { upstreams } = await upstreamsThatAnswer(() => {
      requests += 1;
      return new Response(null, { status: 500 });
    });
    const violation = new ContractViolationError('/connectors/0/auth/kubernetes_secrets', ['must be an object']);
    const connector = { ...CONNECTOR, violation };
    const owner = { key: 'session', user: 'alice', capabilities: {} };
    const target = createTarget(connector, { issuer: 'https://issuer.test', subject: 'alice' });
    const call = upstreams.call(
      target,
      owner,
      () => Promise.resolve(),
      () => false,
    );
    for (const attempt of [upstreams.list(target, 'tools', 1_000), call])
      await expect(attempt).rejects.toMatchObject({
        name: 'UpstreamUnavailableError',
        message: 'cannot be called, because its secret is not available at the moment',
        cause: { cause: violation },
      });
    expect(requests).toBe(0);
  });
});

describe('Upstreams with a failing upstream', () => {
  it('open the breaker after five failed connections, for any number of waiting lists', async () => {
    const { look, advance } = await upstreamsThatAnswer(() => new Response(null, { status: 500 }));
    for (let attempt = 1; attempt <= DEFAULT_LIMITS.breakerThreshold; attempt += 1) {
      expect(await look(KINDS)).toEqual(KINDS.map(() => 'answered with HTTP 500'));
    }
    expect(await look(KINDS)).toEqual(KINDS.map(() => BREAKER_OPEN));
    advance(DEFAULT_LIMITS.breakerOpenMs);
    expect((await look(KINDS)).sort()).toEqual(['answered with HTTP 500', BREAKER_OPEN, BREAKER_OPEN, BREAKER_OPEN]);
  });

  it('open the breaker when connections are refused with JSON-RPC errors', async () => {
    const { look } = await upstreamsThatAnswer(({ id }) =>
      Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message: 'Internal error' } }),
    );
    for (let attempt = 1; attempt <= DEFAULT_LIMITS.breakerThreshold; attempt += 1) {
      expect(await look(KINDS)).toEqual(KINDS.map(() => 'answered with an error'));
    }
    expect(await look(['tools'])).toEqual([BREAKER_OPEN]);
  });

  it('keep using an upstream that answers with JSON-RPC errors', async () => {
    const { look } = await upstreamsThatAnswer(halfBroken);
    for (let attempt = 1; attempt <= 2 * DEFAULT_LIMITS.breakerThreshold; attempt += 1) {
      expect(await look(['prompts', 'resources'])).toEqual(['answered with an error', 'answered with an error']);
    }
    expect(await look(['tools'])).toEqual([1]);
  });

  it('report whether the upstream answered', async () => {
    const { look } = await upstreamsThatAnswer(() => new Response(null, { status: 429 }));
    expect(await look(['tools'])).toEqual(['answered with HTTP 429']);
    const closed = await upstreamsThatAnswer(() => {
      throw new TypeError('fetch failed');
    });
    expect(await closed.look(['tools'])).toEqual(['did not answer']);
  });
});

/** A legacy upstream that opens connections and gives this response to every prompt. */
const answersPrompts =
  (respond: (request: UpstreamRequest) => Response) =>
  (request: UpstreamRequest): Response =>
    request.method === 'prompts/get' ? respond(request) : halfBroken(request);

async function repeat(times: number, call: () => Promise<string>): Promise<string[]> {
  const outcomes: string[] = [];
  for (let time = 0; time < times; time += 1) outcomes.push(await call());
  return outcomes;
}

describe('Upstreams with refused calls of one user', () => {
  it.each<[string, (request: UpstreamRequest) => Response]>([
    ['HTTP 400', () => new Response('no', { status: 400 })],
    ['HTTP 401', () => new Response('no', { status: 401 })],
    ['HTTP 403', () => new Response('no', { status: 403 })],
    ['HTTP 404', () => new Response('no', { status: 404 })],
    ['HTTP 429', () => new Response('no', { status: 429 })],
    ['a response that is not JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['a response of another type', () => new Response('no', { headers: { 'content-type': 'text/plain' } })],
    [
      'a response beyond the limit of bytes',
      () =>
        new Response('x'.repeat(DEFAULT_LIMITS.response.receivedBytes + 1), {
          headers: { 'content-type': 'application/json' },
        }),
    ],
  ])('stop calls of this user only after %s', async (_, respond) => {
    const { look, call, advance } = await upstreamsThatAnswer(answersPrompts(respond));
    expect(await repeat(TIMES, () => call('bob'))).toEqual(Array(TIMES).fill('failed'));
    expect(await call('bob')).toBe(USER_BREAKER_OPEN);
    expect(await call('alice')).toBe('failed');
    expect(await look(['tools'])).toEqual([1]);
    advance(DEFAULT_LIMITS.breakerOpenMs);
    expect(await call('bob')).toBe('failed');
  });

  it('stop no user after JSON-RPC errors', async () => {
    const { call } = await upstreamsThatAnswer(
      answersPrompts(({ id }) =>
        Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code: -32602, message: 'no such prompt' } }),
      ),
    );
    expect(await repeat(2 * TIMES, () => call('bob'))).toEqual(Array(2 * TIMES).fill('failed'));
  });

  it('stop calls of this user only after HTTP 400 to initialize', async () => {
    let refuses = true;
    const { look, call } = await upstreamsThatAnswer((request) =>
      refuses ? new Response('no', { status: 400 }) : halfBroken(request),
    );
    expect(await repeat(TIMES, () => call('bob'))).toEqual(Array(TIMES).fill('failed'));
    expect(await call('bob')).toBe(USER_BREAKER_OPEN);
    refuses = false;
    expect(await look(['tools'])).toEqual([1]);
  });
});

describe('Upstreams with a broken upstream', () => {
  it.each<[string, () => Response]>([
    ['HTTP 500', () => new Response('no', { status: 500 })],
    ['HTTP 503', () => new Response('no', { status: 503 })],
    [
      'a connection that is reset',
      () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
      },
    ],
  ])('stop calls of all users after %s', async (_, respond) => {
    const { look, call } = await upstreamsThatAnswer(answersPrompts(respond));
    expect(await repeat(TIMES, () => call('bob'))).toEqual(Array(TIMES).fill('failed'));
    expect([await call('bob'), await call('alice')]).toEqual([BREAKER_OPEN, BREAKER_OPEN]);
    expect(await look(['tools'])).toEqual([BREAKER_OPEN]);
  });
});
