import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import pg from 'pg';
import { modern } from './support/raw.ts';
import { scripted, type ScriptedServer } from './support/scripted.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let token: string;
let connectors = 0;
beforeAll(async () => {
  world = await World.start();
  world.manager.settings = {
    ...UNLIMITED_SETTINGS,
    content: { ...UNLIMITED_SETTINGS.content, tool_pinning: 'quarantine' },
  };
  world.manager.addUser({ subject: 'alice', groups: ['all'] });
  gateway = await world.gateway();
  token = await world.token('alice');
}, 60_000);
afterAll(() => world.close());

let scene: Scene;
afterEach(() => scene.server.close());

/** A server whose list is a text of JSON, and its connector. */
interface Scene {
  server: ScriptedServer;
  slug: string;
  id: string;
  /** JSON of the tools. */
  tools: string;
}

/** Begins a test whose baseline is one good tool. */
async function begin(): Promise<void> {
  connectors += 1;
  const server = await scripted({
    'tools/list': ({ id }, response) => {
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${scene.tools}}}`;
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    },
  });
  const slug = `hostile${connectors}`;
  scene = { server, slug, id: '', tools: JSON.stringify([createTool('good')]) };
  const connector = world.manager.addConnector({ slug, endpoint: server.url }, ['all']);
  scene.id = connector.id;
  for (const user of world.manager.users) world.manager.toggle(user, connector, true);
  await world.applyChanges();
  await eventually(async () => (await list()).includes('good'), 'the baseline is taken');
}

const createTool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

async function list(): Promise<string[]> {
  const { json } = await modern(`${gateway.url}/mcp/${scene.slug}`, token, 'tools/list');
  return ((json.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
}

interface Row {
  tool: string;
  status: string;
  definition: string | null;
  definition_bytes: number;
}
const readChanges = () =>
  world.sql<Row>(
    `SELECT tool, status, definition, definition_bytes FROM tool_definitions
     WHERE connector_id = '${scene.id}' AND status <> 'baseline' ORDER BY tool`,
  );

/** Lists until the gateway has recorded changes. */
const waitForChanges = (isExpected: (rows: Row[]) => boolean) =>
  eventually(async () => {
    await list();
    const rows = await readChanges();
    return isExpected(rows) ? rows : undefined;
  }, 'the changes are recorded');

/** The changes as an administrator reads them. */
async function readAsAdministrator(): Promise<{ tool: string; new_definition?: object }[]> {
  const response = await fetch(`${gateway.controlUrl}/v1/admin/tool-changes?connector_id=${scene.id}&limit=50`, {
    headers: { authorization: `Bearer ${await world.token('root', { roles: ['admin'] })}` },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: { tool: string; new_definition?: object }[] }).items;
}

describe('the definitions of a hostile server', () => {
  it('are stored as they are, with control characters, half characters and odd members', async () => {
    await begin();
    scene.tools = String.raw`[{"name":"good","inputSchema":{"type":"object"}},
      {"name":"nul","description":"a\u0000b","inputSchema":{"type":"object"}},
      {"name":"half","description":"\ud800","inputSchema":{"type":"object"}},
      {"name":"proto","__proto__":{"a":1},"constructor":{"prototype":1},"inputSchema":{"type":"object"}},
      {"name":"number","inputSchema":{"type":"object","maximum":1e400,"minimum":-0,"x":12345678901234567890}},
      {"name":"sql'; DROP TABLE tool_definitions; --","description":"$1","inputSchema":{"type":"object"}}]`;
    const rows = await waitForChanges(({ length }) => length >= 5);
    expect(rows.map(({ tool }) => tool)).toEqual([
      'half',
      'nul',
      'number',
      'proto',
      "sql'; DROP TABLE tool_definitions; --",
    ]);
    expect(await list()).toEqual(['good']);
    const shown = await readAsAdministrator();
    const find = (tool: string) => shown.find((change) => change.tool === tool)?.new_definition;
    expect(find('nul')).toMatchObject({ description: 'a\u0000b' });
    expect(JSON.stringify(find('half'))).toContain(String.raw`\ud800`);
    expect(JSON.stringify(find('proto'))).toContain('"__proto__":{"a":1}');
  });

  it('are stored without their text above 64 KiB, and are withheld all the same', async () => {
    await begin();
    const text = (bytes: number) => 'x'.repeat(bytes);
    scene.tools = JSON.stringify([
      createTool('good'),
      createTool('large', { description: text(65_000) }),
      createTool('larger', { description: text(200_000) }),
      createTool('largest', { description: text(300_000) }),
    ]);
    const rows = await waitForChanges(({ length }) => length >= 2);
    expect(rows.map(({ tool, definition }) => [tool, definition === null])).toEqual([
      ['large', false],
      ['larger', true],
    ]);
    expect(rows[1]!.definition_bytes).toBeGreaterThan(200_000);
    expect(await list()).toEqual(['good']);
    expect((await readAsAdministrator()).map(({ new_definition: shown }) => shown !== undefined).sort()).toEqual([
      false,
      true,
    ]);
  });

  it('that are all new are recorded up to 1,000 of a connector, and all are withheld', async () => {
    await begin();
    scene.tools = JSON.stringify([
      createTool('good'),
      ...Array.from({ length: 1_500 }, (_, at) => createTool(`new${at}`)),
    ]);
    const rows = await waitForChanges(({ length }) => length > 0);
    expect(rows).toHaveLength(1_000);
    expect(await list()).toEqual(['good']);
    const [events] = await world.sql<{ count: string }>(
      `SELECT count(*) FROM audit_events WHERE changed_fields::text LIKE '%${scene.id}%'`,
    );
    expect(Number(events!.count)).toBe(1_000);
  });

  it('that differ in every list are kept as at most five of a tool', async () => {
    await begin();
    let version = 0;
    Object.defineProperty(scene, 'tools', {
      get: () => JSON.stringify([createTool('good'), createTool('new', { description: String((version += 1)) })]),
    });
    const lists = async () => {
      await list();
      return scene.server.seen.get('tools/list') ?? 0;
    };
    const first = await lists();
    await eventually(async () => (await lists()) > first, 'another list has come');
    expect(await list()).toEqual(['good']);
    const rows = await readChanges();
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(rows.every(({ tool, status }) => tool === 'new' && status === 'pending')).toBe(true);
  }, 30_000);
});

describe('a gateway that is killed while it records changes', () => {
  it('leaves nothing, and another one records them once', async () => {
    await begin();
    const killed = await world.startApart();
    const listAt = (url: string) => modern(`${url}/mcp/${scene.slug}`, token, 'tools/list');
    await eventually(async () => (await listAt(killed.url)).json.result !== undefined, 'the other gateway lists');
    // The recording waits for this lock in its transaction.
    const database = new pg.Client({ connectionString: world.database.url });
    await database.connect();
    await database.query('BEGIN');
    await database.query(`SELECT pg_advisory_xact_lock(hashtextextended('tool_definitions' || chr(31) || $1, 0))`, [
      scene.id,
    ]);
    const countLocks = async (condition: string) =>
      (await world.sql(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND ${condition}`)).length;
    scene.tools = JSON.stringify([createTool('good', { description: 'Other.' }), createTool('new')]);
    const killing = new AbortController();
    const listing = (async () => {
      while (!killing.signal.aborted) await listAt(killed.url);
    })().catch(() => undefined);
    await eventually(async () => (await countLocks('NOT granted')) > 0, 'the gateway records');
    killing.abort();
    await killed.process.killHard();
    await listing;
    await database.query('COMMIT');
    await database.end();
    await eventually(async () => (await countLocks('NOT granted')) === 0, 'its transaction has ended');
    expect(await readChanges()).toEqual([]);
    const rows = await waitForChanges(({ length }) => length > 0);
    expect(rows.map(({ tool, status }) => [tool, status])).toEqual([
      ['good', 'pending'],
      ['new', 'pending'],
    ]);
    expect(await list()).toEqual([]);
  }, 60_000);
});
