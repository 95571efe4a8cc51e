import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { HostileWorld } from './support/hostile-world.ts';
import type { Script, ScriptedServer } from './support/scripted.ts';
import { verifies } from './support/verifies.ts';
import { eventually, MODERN } from './support/world.ts';

let hostileWorld: HostileWorld;

beforeAll(async () => {
  hostileWorld = await HostileWorld.start();
});
afterAll(() => hostileWorld.close());

/** Adds a server with this tool list beside the good one. */
async function beside(slug: string, list: Script): Promise<ScriptedServer> {
  const { server } = await hostileWorld.add(slug, { 'tools/list': list });
  await eventually(async () => {
    await listAt(slug);
    return server.seen.has('tools/list') ? true : undefined;
  }, 'the list was asked for');
  return server;
}

/** Names of the tools of one connector, at its own endpoint. */
const listAt = (slug: string): Promise<string[]> => hostileWorld.listTools(`${hostileWorld.endpoint}/${slug}`);

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

/** The offers of the good server are always there. */
const expectGoodOnes = async (): Promise<string[]> => {
  const names = await hostileWorld.listTools();
  expect(names).toEqual(expect.arrayContaining(Object.values(hostileWorld.good.tools).map((name) => `good__${name}`)));
  return names;
};

describe('the list of a hostile upstream', () => {
  verifies(['upstream:contained'], 'is aborted when it never ends, and delays no other list', async () => {
    let page = 0;
    const server = await beside('endless', () => ({ tools: [tool(`t${page}`)], nextCursor: String((page += 1)) }));
    const names = await expectGoodOnes();
    expect(names.some((name) => name.startsWith('endless__'))).toBe(false);
    expect(server.seen.get('tools/list')).toBeLessThan(1_000);
  });

  verifies(['upstream:contained'], 'is aborted when its pages are circular', async () => {
    await beside('circle', ({ params }) => ({
      tools: [tool(`t${String(params?.['cursor'])}`)],
      nextCursor: params?.['cursor'] === 'a' ? 'b' : 'a',
    }));
    expect((await expectGoodOnes()).some((name) => name.startsWith('circle__'))).toBe(false);
  });

  verifies(['upstream:contained'], 'is cut when it has ten thousand tools', async () => {
    await beside('many', () => ({ tools: Array.from({ length: 10_000 }, (_, index) => tool(`t${index}`)) }));
    expect((await expectGoodOnes()).filter((name) => name.startsWith('many__'))).toHaveLength(2_000);
  });

  verifies(['upstream:contained'], 'loses only tools that are too large or too deep', async () => {
    const text = JSON.stringify({
      tools: [tool('huge', { description: 'x'.repeat(1_048_576) }), tool('plain'), tool('DEEP')],
    }).replace('"DEEP","inputSchema":{', `"deep","inputSchema":{"x":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)},`);
    await beside('heavy', ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${text}}`);
    });
    expect((await expectGoodOnes()).filter((name) => name.startsWith('heavy__'))).toEqual(['heavy__plain']);
    expect(await listAt('heavy')).toEqual(['plain']);
  });

  verifies(['upstream:contained'], 'is limited over all its pages', async () => {
    let page = 0;
    const server = await beside('fat', () => ({
      tools: Array.from({ length: 20 }, (_, index) => tool(`t${page}-${index}`, { description: 'x'.repeat(100_000) })),
      ...((page += 1) < 50 && { nextCursor: String(page) }),
    }));
    expect((await expectGoodOnes()).some((name) => name.startsWith('fat__'))).toBe(false);
    expect(server.seen.get('tools/list')).toBeLessThan(20);
  });

  verifies(
    ['tools:names', 'upstream:contained'],
    'loses only tools with a duplicate name or a name that no record can hold',
    async () => {
      await beside('odd', () => ({
        tools: [
          tool('one'),
          tool('one', { description: 'a second one' }),
          tool('line\nbreak'),
          tool('bell\u0007'),
          tool('nul\u0000'),
          tool('half\ud800'),
          tool(''),
          tool('x'.repeat(5_000)),
          tool('a.b'),
          tool('a/b'),
        ],
      }));
      expect((await listAt('odd')).sort()).toEqual(['a.b', 'a/b', 'one']);
      const names = (await expectGoodOnes()).filter((name) => name.startsWith('odd__'));
      expect(new Set(names).size).toBe(3);
    },
  );

  it('is left out when the response is no list', async () => {
    await beside('nonsense', () => ({ tools: { name: 'x' } }));
    await beside('null', ({ id }, response) => void response.end(`{"jsonrpc":"2.0","id":${id},"result":null}`));
    await expectGoodOnes();
  });

  it('is fetched a limited number of times when it announces ten thousand changes', async () => {
    let names = ['before'];
    const streams = new Set<ServerResponse>();
    const { server } = await hostileWorld.add('storm', {
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'storm', version: '1' },
      }),
      'tools/list': () => ({ tools: names.map((name) => tool(name)) }),
      GET: (_, response) => {
        streams.add(response);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      },
    });
    let notified = 0;
    await hostileWorld.world.client(hostileWorld.endpoint, hostileWorld.token, {
      ...MODERN,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (notified += 1) } },
    });
    await eventually(() => streams.size > 0 || undefined, 'the gateway listens to the upstream');
    await eventually(async () => (await listAt('storm')).includes('before') || undefined, 'it is listed');
    const [fetched, told] = [server.seen.get('tools/list') ?? 0, notified];
    const announce = () => {
      const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      for (const one of streams) one.write(`data: ${JSON.stringify(message)}\n\n`);
    };
    for (let sent = 0; sent < 10_000; sent += 1) announce();
    await expectGoodOnes();
    names = ['after'];
    announce();
    await eventually(async () => (await listAt('storm')).includes('after') || undefined, 'the change holds');
    expect((server.seen.get('tools/list') ?? 0) - fetched).toBeLessThan(500);
    expect(notified - told).toBeLessThan(500);
  });
});
