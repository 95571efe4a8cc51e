import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileGrants } from '@gatehouse/policy/grants';
import type { TestConnector } from './support/manager.ts';
import { initialize, inSession, modern } from './support/raw.ts';
import { reply, scripted, type ScriptedServer } from './support/scripted.ts';
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
let bobsToken: string;

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

/** A server without sessions, with one skill. */
const startModernServer = () =>
  scripted({
    'server/discover': () => ({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { resources: {}, extensions: { [EXTENSION]: {} } },
    }),
    'resources/list': () => ({ resultType: 'complete', resources: [] }),
    'resources/templates/list': () => ({ resultType: 'complete', resourceTemplates: [] }),
    'skills/list': () => ({ resultType: 'complete', skills: [createSkill('skill://new/SKILL.md')] }),
    'skills/get': ({ params }) => ({ resultType: 'complete', skill: createSkill(String(params?.['uri'])) }),
  });

/** A server that announces skills, and fails to list them. */
const startFailingServer = () =>
  scripted({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { extensions: { [EXTENSION]: {} } },
      serverInfo: { name: 'failing', version: '1' },
    }),
    'skills/list': ({ id }, response) => reply(response, { id, error: { code: -32603, message: 'secret detail' } }),
  });

beforeAll(async () => {
  world = await World.start();
  servers = await Promise.all([
    startServer('desk', [createSkill(GREETING, SECRET), createSkill('skill://filing/SKILL.md')]),
    startServer('help', [createSkill(GREETING), 'not a skill', { uri: 'skill://bad/SKILL.md' }]),
    startServer('hidden', [createSkill('skill://hidden/SKILL.md')]),
    startOldServer(),
    startModernServer(),
    startFailingServer(),
  ]);
  const [desk, help, hidden, old, newer, failing] = servers.map(({ url }) => url);
  connectors = {
    desk: world.manager.addConnector({ slug: 'desk', endpoint: desk! }, ['all']),
    help: world.manager.addConnector({ slug: 'help', endpoint: help! }, ['all']),
    hidden: world.manager.addConnector({ slug: 'hidden', endpoint: hidden! }, ['few']),
  };
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  const others = [world.manager.addConnector({ slug: 'old', endpoint: old! }, ['all'])];
  for (const connector of [...Object.values(connectors), ...others]) world.manager.toggle(alice, connector, true);
  const bob = world.manager.addUser({ subject: 'bob', groups: ['mixed'] });
  for (const [slug, endpoint] of Object.entries({ newer, failing, second: help }))
    world.manager.toggle(bob, world.manager.addConnector({ slug, endpoint: endpoint! }, ['mixed']), true);
  world.manager.documents.set(
    connectors.desk.id,
    `${compileGrants(connectors.desk.id, ['all'])}
forbid(principal, action, resource) when { resource is Resource && resource.uri == "${SECRET}" };`,
  );
  token = await world.token('alice');
  bobsToken = await world.token('bob');
  gateway = await world.gateway();
}, 60_000);

afterAll(async () => {
  await world.close();
  await Promise.all(servers.map((server) => server.close()));
});

const ask = async (method: string, params: Record<string, unknown> = {}, path = '') =>
  (await modern(`${gateway.url}/mcp${path}`, token, method, params)).json;
const listSkills = async (path = '') => (await ask('skills/list', {}, path)).result?.['skills'] as { uri: string }[];

describe('skills of several connectors', () => {
  it('are announced as an extension', async () => {
    expect((await ask('server/discover')).result).toMatchObject({
      capabilities: { extensions: { [EXTENSION]: { directoryRead: true } } },
    });
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

describe('skills between the eras', () => {
  const unavailable = [{ connector: 'failing', reason: 'answered with an error' }];
  const uris = [`skill://greeting/SKILL.md`, 'skill://new/SKILL.md'];

  verifies(['skills:list'], 'are listed for clients of both, with the missing connector', async () => {
    const url = `${gateway.url}/mcp`;
    const session = await initialize(url, bobsToken);
    const answers = [
      await modern(url, bobsToken, 'skills/list'),
      await inSession(url, bobsToken, session, 'skills/list'),
    ];
    for (const { json, text } of answers) {
      expect((json.result?.['skills'] as { uri: string }[]).map(({ uri }) => uri)).toEqual(uris);
      expect(json.result?.['_meta']).toMatchObject({ 'gatehouse.dev/unavailable': unavailable });
      expect(text).not.toContain('secret detail');
    }
  });

  verifies(['skills:get'], 'are got by clients of both from servers of both', async () => {
    const url = `${gateway.url}/mcp`;
    const session = await initialize(url, bobsToken);
    for (const uri of uris) {
      const answers = [
        await modern(url, bobsToken, 'skills/get', { uri }),
        await inSession(url, bobsToken, session, 'skills/get', { uri }),
      ];
      for (const { json } of answers) expect(json.result).toMatchObject({ skill: { uri, resources: [{ uri }] } });
    }
  });

  it('have no folders in a server without folders', async () => {
    const url = `${gateway.url}/mcp`;
    const session = await initialize(url, bobsToken);
    const uri = 'skill://new';
    const answers = [
      await modern(url, bobsToken, 'resources/directory/read', { uri }),
      await inSession(url, bobsToken, session, 'resources/directory/read', { uri }),
    ];
    for (const { json } of answers) expect(json.error).toMatchObject({ code: -32602, message: 'unknown resource' });
  });
});
