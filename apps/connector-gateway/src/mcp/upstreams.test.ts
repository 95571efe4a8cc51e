import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../directory/snapshot.ts';
import { DEFAULT_LIMITS } from './limits.ts';
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
const FAILING = 'is failing and left alone for a while';

interface Asked {
  id?: number;
  method: string;
}

const askedBy = async (request: Request): Promise<Asked> =>
  request.method === 'POST' ? ((await request.json()) as Asked) : { method: request.method };

/** The upstreams of a gateway whose way out ends in a function. */
function upstreamsThatAnswer(answer: (asked: Asked) => Response) {
  let time = 0;
  const upstreams = new Upstreams({
    openWay: () => ({
      fetch: async (url, init) => answer(await askedBy(new Request(url, init))),
      ready: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
    limits: DEFAULT_LIMITS,
    now: () => time,
    onListChanged: () => undefined,
  });
  /** What a look at these lists of the connector, all at once, comes to: what was listed, or why nothing was. */
  const look = (kinds: readonly (keyof Listing)[]) =>
    Promise.all(
      kinds.map((kind) =>
        upstreams.list(CONNECTOR, kind, 1_000).then(
          (list) => list.length,
          (error: unknown) => (error as Error).message,
        ),
      ),
    );
  return { upstreams, look, advance: (ms: number) => (time += ms) };
}

/** An upstream of the older era with one tool, which announces prompts and resources that it cannot list. */
function halfBroken({ id, method }: Asked): Response {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'half', version: '1' },
    },
    'tools/list': { tools: [{ name: 'only', inputSchema: { type: 'object' } }] },
  };
  if (id === undefined) return new Response(null, { status: method === 'GET' ? 405 : 202 });
  const answer = Object.hasOwn(results, method)
    ? { result: results[method] }
    : { error: { code: -32603, message: 'Internal error' } };
  return Response.json({ jsonrpc: '2.0', id, ...answer });
}

describe('an upstream that fails', () => {
  it('is left alone after five failed connections, however many lists waited for each', async () => {
    const { upstreams, look, advance } = upstreamsThatAnswer(() => new Response(null, { status: 500 }));
    for (let attempt = 1; attempt <= DEFAULT_LIMITS.breakerThreshold; attempt += 1) {
      expect(await look(KINDS)).toEqual(KINDS.map(() => 'did not answer'));
    }
    expect(await look(KINDS)).toEqual(KINDS.map(() => FAILING));
    advance(DEFAULT_LIMITS.breakerOpenMs);
    expect((await look(KINDS)).sort()).toEqual(['did not answer', FAILING, FAILING, FAILING]);
    await upstreams.close();
  });

  it('is left alone too when all it does is refuse connections with JSON-RPC errors', async () => {
    const { upstreams, look } = upstreamsThatAnswer(({ id }) =>
      Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message: 'Internal error' } }),
    );
    for (let attempt = 1; attempt <= DEFAULT_LIMITS.breakerThreshold; attempt += 1) {
      expect(await look(KINDS)).toEqual(KINDS.map(() => 'did not answer'));
    }
    expect(await look(['tools'])).toEqual([FAILING]);
    await upstreams.close();
  });

  it('goes on being used when it answers with JSON-RPC errors', async () => {
    const { upstreams, look } = upstreamsThatAnswer(halfBroken);
    for (let attempt = 1; attempt <= 2 * DEFAULT_LIMITS.breakerThreshold; attempt += 1) {
      expect(await look(['prompts', 'resources'])).toEqual(['did not answer', 'did not answer']);
    }
    expect(await look(['tools'])).toEqual([1]);
    await upstreams.close();
  });
});
