import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestConnector, TestUser } from './support/manager.ts';
import { modern } from './support/raw.ts';
import { scripted, type ScriptedServer } from './support/scripted.ts';
import { verifies } from './support/verifies.ts';
import { type Gateway, World } from './support/world.ts';

const SHARED = 'file:///shared.txt';
const TEMPLATE = 'file:///pages/{name}';

let world: World;
let gateway: Gateway;
let servers: ScriptedServer[] = [];
let connectors: Record<'notes' | 'wiki' | 'vault', TestConnector>;
let alice: TestUser;
let bob: TestUser;
let tokens: Record<'alice' | 'bob', string>;

/** An upstream with the same URIs as the others and its own name in each text. */
const startUpstream = (slug: string, own: string[]) =>
  scripted({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: slug, version: '1' },
    }),
    'resources/list': () => ({ resources: [SHARED, ...own].map((uri) => ({ uri, name: `${slug} ${uri}` })) }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: TEMPLATE, name: slug }] }),
    'resources/read': ({ params }) => ({ contents: [{ uri: params?.['uri'], text: `read from ${slug}` }] }),
    'prompts/list': () => ({ prompts: [{ name: 'ask' }] }),
    'prompts/get': () => ({
      messages: [{ role: 'user', content: { type: 'resource', resource: { uri: SHARED, text: slug } } }],
    }),
    'tools/call': () => ({
      content: [
        { type: 'text', text: SHARED },
        ...[SHARED, ...own, 'file:///pages/one', 'https://example.com/'].map((uri) => ({
          type: 'resource_link',
          uri,
          name: uri,
        })),
        { type: 'resource', resource: { uri: SHARED, text: slug } },
      ],
    }),
  });

beforeAll(async () => {
  world = await World.start();
  servers = await Promise.all([
    startUpstream('notes', ['file:///notes.txt']),
    startUpstream('wiki', ['file:///wiki.txt', 'gatehouse+notes:file:///notes.txt']),
    startUpstream('vault', []),
  ]);
  const [notes, wiki, vault] = servers.map(({ url }) => url);
  connectors = {
    notes: world.manager.addConnector({ slug: 'notes', endpoint: notes! }, ['all']),
    wiki: world.manager.addConnector({ slug: 'wiki', endpoint: wiki! }, ['all']),
    vault: world.manager.addConnector({ slug: 'vault', endpoint: vault! }, ['few']),
  };
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  bob = world.manager.addUser({ subject: 'bob', groups: ['all'] });
  for (const connector of Object.values(connectors)) world.manager.toggle(alice, connector, true);
  world.manager.toggle(bob, connectors.notes, true);
  tokens = { alice: await world.token('alice'), bob: await world.token('bob') };
  gateway = await world.gateway();
}, 60_000);

afterAll(async () => {
  await world.close();
  await Promise.all(servers.map((server) => server.close()));
});

const ask = async (user: 'alice' | 'bob', method: string, params: Record<string, unknown> = {}, path = '') =>
  (await modern(`${gateway.url}/mcp${path}`, tokens[user], method, params)).json;
const listUris = async (user: 'alice' | 'bob', path = '') =>
  ((await ask(user, 'resources/list', {}, path)).result?.['resources'] as { uri: string }[]).map(({ uri }) => uri);
const read = async (user: 'alice' | 'bob', uri: string, path = '') => {
  const { result, error } = await ask(user, 'resources/read', { uri }, path);
  return (result?.['contents'] as { uri: string; text: string }[] | undefined)?.[0] ?? error;
};

describe('resources of several connectors', () => {
  verifies(['resources:apart'], 'are listed with the slug of their connector when they share a URI', async () => {
    expect(await listUris('alice')).toEqual(
      [
        'file:///notes.txt',
        'file:///wiki.txt',
        `gatehouse+notes:${SHARED}`,
        `gatehouse+wiki:${SHARED}`,
        // An upstream cannot name another connector.
        'gatehouse+wiki:gatehouse+notes:file:///notes.txt',
      ].sort(),
    );
    expect((await ask('alice', 'resources/templates/list')).result?.['resourceTemplates']).toMatchObject([
      { uriTemplate: `gatehouse+notes:${TEMPLATE}` },
      { uriTemplate: `gatehouse+wiki:${TEMPLATE}` },
    ]);
  });

  verifies(['resources:apart'], 'are read from the connector that the URI names', async () => {
    for (const slug of ['notes', 'wiki'])
      for (const own of [SHARED, 'file:///pages/two']) {
        const uri = `gatehouse+${slug}:${own}`;
        expect(await read('alice', uri)).toEqual({ uri, text: `read from ${slug}` });
      }
    expect(await read('alice', 'file:///wiki.txt')).toEqual({ uri: 'file:///wiki.txt', text: 'read from wiki' });
    expect(await read('alice', 'gatehouse+notes:file:///notes.txt')).toMatchObject({ text: 'read from notes' });
    const unknown = { code: -32602, message: 'unknown resource' };
    // Hidden, of another connector, of no connector, and not qualified by the gateway.
    for (const uri of [
      `gatehouse+vault:${SHARED}`,
      'gatehouse+notes:file:///wiki.txt',
      `gatehouse+unknown:${SHARED}`,
      `gatehouse+NOTES:${SHARED}`,
      'gatehouse+notes:',
    ])
      expect([uri, await read('alice', uri)]).toEqual([uri, { ...unknown, data: { uri } }]);
  });

  verifies(
    ['resources:apart'],
    'are refused without the slug, and the error names the visible connectors',
    async () => {
      for (const uri of [SHARED, 'file:///pages/two']) {
        const error = await read('alice', uri);
        expect(error).toMatchObject({
          code: -32602,
          message: expect.stringContaining(`read gatehouse+notes:${uri} or gatehouse+wiki:${uri}`),
        });
        expect(JSON.stringify(error)).not.toContain('vault');
      }
    },
  );

  verifies(['resources:apart'], 'have their exposed URI in results', async () => {
    for (const slug of ['notes', 'wiki']) {
      const called = await ask('alice', 'tools/call', { name: `${slug}__only`, arguments: {} });
      expect(called.result?.['content']).toMatchObject([
        { type: 'text', text: SHARED },
        { uri: `gatehouse+${slug}:${SHARED}` },
        { uri: `file:///${slug}.txt` },
        ...(slug === 'wiki' ? [{ uri: 'gatehouse+wiki:gatehouse+notes:file:///notes.txt' }] : []),
        { uri: `gatehouse+${slug}:file:///pages/one` },
        { uri: 'https://example.com/' },
        { type: 'resource', resource: { uri: `gatehouse+${slug}:${SHARED}`, text: slug } },
      ]);
      const prompt = await ask('alice', 'prompts/get', { name: `${slug}__ask` });
      expect(prompt.result?.['messages']).toMatchObject([
        { content: { resource: { uri: `gatehouse+${slug}:${SHARED}` } } },
      ]);
    }
  });

  it('keep their URIs when only one is visible, and at the endpoint of one connector', async () => {
    expect(await listUris('bob')).toEqual(['file:///notes.txt', SHARED]);
    expect(await read('bob', SHARED)).toEqual({ uri: SHARED, text: 'read from notes' });
    // The qualified form works too, for clients that stored it.
    expect(await read('bob', `gatehouse+notes:${SHARED}`)).toMatchObject({ text: 'read from notes' });
    expect(await listUris('alice', '/wiki')).toEqual(
      ['file:///wiki.txt', SHARED, 'gatehouse+notes:file:///notes.txt'].sort(),
    );
    expect(await read('alice', SHARED, '/wiki')).toEqual({ uri: SHARED, text: 'read from wiki' });
    const called = await ask('alice', 'tools/call', { name: 'only', arguments: {} }, '/wiki');
    expect((called.result?.['content'] as object[])[1]).toMatchObject({ uri: SHARED });
  });
});
