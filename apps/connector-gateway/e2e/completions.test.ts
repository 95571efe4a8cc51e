import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestConnector, TestUser } from './support/manager.ts';
import { initialize, inSession, modern } from './support/raw.ts';
import { scripted, type Script, type ScriptedServer } from './support/scripted.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const TEMPLATE = 'file:///pages/{name}';

let world: World;
let gateway: Gateway;
let servers: ScriptedServer[] = [];
let alice: TestUser;
let hidden: TestConnector;
let token: string;
/** The params that the upstreams received. */
let received: unknown[] = [];

const startUpstream = (slug: string, complete?: Script) =>
  scripted({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { prompts: {}, resources: {}, completions: {} },
      serverInfo: { name: slug, version: '1' },
    }),
    'prompts/list': () => ({ prompts: [{ name: 'ask' }] }),
    'resources/list': () => ({ resources: [{ uri: `file:///${slug}.txt`, name: slug }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: TEMPLATE, name: slug }] }),
    ...(complete && { 'completion/complete': complete }),
  });

const answerWith =
  (slug: string): Script =>
  ({ params }) => {
    received.push(params);
    return { completion: { values: [slug], total: 1, hasMore: false } };
  };

beforeAll(async () => {
  world = await World.start();
  servers = await Promise.all([
    startUpstream('notes', answerWith('notes')),
    startUpstream('wiki', answerWith('wiki')),
    startUpstream('plain'),
    startUpstream('vault', answerWith('vault')),
  ]);
  const [notes, wiki, plain, vault] = servers.map(({ url }) => url);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  for (const [slug, endpoint] of Object.entries({ notes, wiki, plain }))
    world.manager.toggle(alice, world.manager.addConnector({ slug, endpoint: endpoint! }, ['all']), true);
  hidden = world.manager.addConnector({ slug: 'vault', endpoint: vault! }, ['few']);
  world.manager.toggle(alice, hidden, true);
  token = await world.token('alice');
  gateway = await world.gateway();
  await eventually(
    async () =>
      ((await modern(`${gateway.url}/mcp`, token, 'prompts/list')).json.result?.['prompts'] as unknown[]).length === 3
        ? true
        : undefined,
    'all prompts are listed',
  );
}, 60_000);

afterAll(async () => {
  await world.close();
  await Promise.all(servers.map((server) => server.close()));
});

const argument = { name: 'name', value: 'a' };
const complete = async (ref: unknown, more: Record<string, unknown> = {}, path = '') => {
  received = [];
  const params = { ref, argument, ...more };
  return (await modern(`${gateway.url}/mcp${path}`, token, 'completion/complete', params)).json;
};
const prompt = (name: string) => ({ type: 'ref/prompt', name });
const resource = (uri: string) => ({ type: 'ref/resource', uri });

describe('completion/complete', () => {
  it('asks the connector of a prompt with its own name', async () => {
    const context = { arguments: { other: 'b' } };
    const { result } = await complete(prompt('wiki__ask'), { context });
    expect(result?.['completion']).toEqual({ values: ['wiki'], total: 1, hasMore: false });
    expect(received).toEqual([{ ref: prompt('ask'), argument, context }]);
    expect((await complete(prompt('ask'), {}, '/notes')).result?.['completion']).toMatchObject({ values: ['notes'] });
  });

  it('asks the connector of a template or of a resource with its own URI', async () => {
    const template = resource(`gatehouse+wiki:${TEMPLATE}`);
    expect((await complete(template)).result?.['completion']).toMatchObject({ values: ['wiki'] });
    expect(received).toEqual([{ ref: resource(TEMPLATE), argument }]);
    const listed = resource('file:///notes.txt');
    expect((await complete(listed)).result?.['completion']).toMatchObject({ values: ['notes'] });
    expect((await complete(resource(TEMPLATE), {}, '/notes')).result?.['completion']).toMatchObject({
      values: ['notes'],
    });
  });

  it('serves sessions too', async () => {
    const url = `${gateway.url}/mcp`;
    const session = await initialize(url, token);
    const { json } = await inSession(url, token, session, 'completion/complete', {
      ref: prompt('notes__ask'),
      argument,
    });
    expect(json.result).toEqual({ completion: { values: ['notes'], total: 1, hasMore: false } });
  });

  it('completes nothing at a connector without completions', async () => {
    expect((await complete(prompt('plain__ask'))).result?.['completion']).toEqual({ values: [] });
  });

  it('does not tell a hidden prompt or resource from an unknown one', async () => {
    const hiddenPrompt = await complete(prompt('vault__ask'));
    expect(hiddenPrompt.error).toEqual({ code: -32602, message: 'unknown prompt' });
    expect(await complete(prompt('none__ask'))).toEqual(hiddenPrompt);
    const uri = 'file:///vault.txt';
    expect((await complete(resource(uri))).error).toEqual({ code: -32602, message: 'unknown resource', data: { uri } });
    expect((await complete(resource(`gatehouse+vault:${TEMPLATE}`))).error?.message).toBe('unknown resource');
    expect(received).toEqual([]);
  });

  it.each([
    [undefined, {}],
    ['ref/prompt', {}],
    [{ type: 'ref/prompt' }, {}],
    [{ type: 'ref/tool', name: 'x' }, {}],
    [{ type: 'ref/resource', name: 'x' }, {}],
    [prompt('notes__ask'), { argument: undefined }],
    [prompt('notes__ask'), { argument: { name: 'x', value: 7 } }],
    [prompt('notes__ask'), { context: 'x' }],
  ])('refuses the reference %j with %j', async (ref, more) => {
    expect((await complete(ref, more)).error?.code).toBe(-32602);
    expect(received).toEqual([]);
  });
});
