import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileGrants } from '@gatehouse/policy/grants';
import type { TestConnector } from './support/manager.ts';
import { modern, post } from './support/raw.ts';
import { scripted, type ScriptedServer } from './support/scripted.ts';
import { verifies } from './support/verifies.ts';
import { type Gateway, World } from './support/world.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const GREETING = 'skill://greeting/SKILL.md';
const SECRET = 'skill://greeting/references/secret.md';
const FOLDER = 'inode/directory';

let world: World;
let gateway: Gateway;
let servers: ScriptedServer[] = [];
let connectors: Record<'desk' | 'help' | 'hidden', TestConnector>;
let token: string;

const createFile = (uri: string) => ({ uri, digest: `sha256:${'0'.repeat(64)}`, size: 9 });
const createSkill = (uri: string, ...files: string[]) => ({
  uri,
  frontmatter: { name: uri.split('/').at(-2), description: 'A skill.' },
  resources: [uri, ...files].map(createFile),
});

/** A server with skills, and with a folder whose children can be read. */
const startServer = (slug: string, skills: unknown[]) =>
  scripted({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { resources: {}, extensions: { [EXTENSION]: { directoryRead: true } } },
      serverInfo: { name: slug, version: '1' },
    }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ params }) => ({ contents: [{ uri: params?.['uri'], text: `read from ${slug}` }] }),
    'skills/list': () => ({ skills }),
    'skills/get': ({ params }) => ({ skill: createSkill(String(params?.['uri'])) }),
    'resources/directory/read': ({ params }) => ({
      resources: ['SKILL.md', 'references'].map((name) => ({
        uri: `${String(params?.['uri'])}/${name}`,
        name,
        ...(name === 'references' && { mimeType: FOLDER }),
      })),
    }),
  });

/** A server of an older kind, with a template for all URIs of skills. */
const startOldServer = () =>
  scripted({
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { resources: {} },
      serverInfo: { name: 'old', version: '1' },
    }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'old://{name}', name: 'old' }] }),
  });

beforeAll(async () => {
  world = await World.start();
  servers = await Promise.all([
    startServer('desk', [createSkill(GREETING, SECRET), createSkill('skill://filing/SKILL.md')]),
    startServer('help', [createSkill(GREETING), 'not a skill', { uri: 'skill://bad/SKILL.md' }]),
    startServer('hidden', [createSkill('skill://hidden/SKILL.md')]),
    startOldServer(),
  ]);
  const [desk, help, hidden, old] = servers.map(({ url }) => url);
  connectors = {
    desk: world.manager.addConnector({ slug: 'desk', endpoint: desk! }, ['all']),
    help: world.manager.addConnector({ slug: 'help', endpoint: help! }, ['all']),
    hidden: world.manager.addConnector({ slug: 'hidden', endpoint: hidden! }, ['few']),
  };
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  const others = [world.manager.addConnector({ slug: 'old', endpoint: old! }, ['all'])];
  for (const connector of [...Object.values(connectors), ...others]) world.manager.toggle(alice, connector, true);
  world.manager.documents.set(
    connectors.desk.id,
    `${compileGrants(connectors.desk.id, ['all'])}
forbid(principal, action, resource) when { resource is Resource && resource.uri == "${SECRET}" };`,
  );
  token = await world.token('alice');
  gateway = await world.gateway();
}, 60_000);

afterAll(async () => {
  await world.close();
  await Promise.all(servers.map((server) => server.close()));
});

const ask = async (method: string, params: Record<string, unknown> = {}, path = '') =>
  (await modern(`${gateway.url}/mcp${path}`, token, method, params)).json;
const listSkills = async (path = '') => (await ask('skills/list', {}, path)).result?.['skills'] as { uri: string }[];

/** The announced extensions of an endpoint, without and with a session. */
async function readExtensions(path: string) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  const begun = await post(`${gateway.url}/mcp${path}`, message, { authorization: `Bearer ${token}` });
  const results = [(await ask('server/discover', {}, path)).result, begun.json.result];
  return results.map((result) => (result?.['capabilities'] as { extensions?: object } | undefined)?.extensions);
}

describe('skills of several connectors', () => {
  verifies(['skills:announced'], 'are announced where a visible upstream offers them, in both eras', async () => {
    const offered = { directoryRead: true };
    for (const path of ['', '/desk', '?mode=search'])
      expect([path, await readExtensions(path)]).toMatchObject([
        path,
        [{ [EXTENSION]: offered }, { [EXTENSION]: offered }],
      ]);
    for (const path of ['/old', '/hidden', '/unknown'])
      for (const extensions of await readExtensions(path)) expect(extensions ?? {}).not.toHaveProperty([EXTENSION]);
  });

  verifies(['skills:list'], 'are listed together, apart from hidden and invalid ones', async () => {
    expect((await listSkills()).map(({ uri }) => uri)).toEqual([
      `gatehouse+desk:${GREETING}`,
      `gatehouse+help:${GREETING}`,
      'skill://filing/SKILL.md',
    ]);
    expect((await listSkills('/desk')).map(({ uri }) => uri)).toEqual(['skill://filing/SKILL.md', GREETING]);
  });

  verifies(['skills:rights'], 'have no manifest if the user may not read each file', async () => {
    const [ofDesk, ofHelp, filing] = await listSkills();
    expect(ofDesk).toMatchObject({ resources: 'dynamic' });
    expect(ofHelp).toMatchObject({ resources: [{ uri: `gatehouse+help:${GREETING}`, size: 9 }] });
    expect(filing).toMatchObject({ resources: [{ uri: 'skill://filing/SKILL.md' }] });
    expect((await ask('resources/read', { uri: SECRET }, '/desk')).error).toMatchObject({ code: -32602 });
  });

  verifies(['skills:get'], 'are got and read from the connector that the URI names', async () => {
    for (const slug of ['desk', 'help']) {
      const uri = `gatehouse+${slug}:${GREETING}`;
      expect((await ask('skills/get', { uri })).result).toMatchObject({ skill: { uri, resources: [{ uri }] } });
      const { result } = await ask('resources/read', { uri });
      expect(result).toMatchObject({ contents: [{ uri, text: `read from ${slug}` }] });
    }
  });

  verifies(['skills:folders'], 'have folders whose children carry the URIs of this endpoint', async () => {
    const uri = 'gatehouse+desk:skill://greeting';
    expect((await ask('resources/directory/read', { uri })).result).toMatchObject({
      resources: [{ uri: `${uri}/SKILL.md` }, { uri: `${uri}/references`, mimeType: FOLDER }],
    });
  });

  it('are unknown if hidden, foreign, or of a server without skills', async () => {
    for (const method of ['skills/get', 'resources/directory/read'])
      for (const uri of ['skill://hidden/SKILL.md', 'skill://no', 'old://a', 'skill://filing/../../x', '', 'no uri'])
        expect([uri, (await ask(method, { uri })).error]).toMatchObject([
          uri,
          { code: -32602, message: 'unknown resource', data: { uri } },
        ]);
  });

  it.each([
    ['skills/get', {}, 'params.uri must be a string without NUL'],
    ['skills/get', { uri: 7 }, 'params.uri must be a string without NUL'],
    ['resources/directory/read', { uri: [] }, 'params.uri must be a string without NUL'],
    ['resources/directory/read', { uri: 'skill://filing', cursor: 7 }, 'params.cursor must be a string'],
    ['skills/list', { cursor: 'x' }, 'params.cursor is unknown: the lists of this gateway have one page'],
  ])('refuse %s with %j', async (method, params, message) => {
    expect((await ask(method, params)).error).toEqual({ code: -32602, message });
  });
});
