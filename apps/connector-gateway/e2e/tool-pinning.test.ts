import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import type { ToolPinning } from '../src/mcp/ports/tool-pin-store.ts';
import { ChangingTools, PAY } from './support/changing-tools.ts';
import type { TestConnector } from './support/manager.ts';
import { initialize, inSession, modern, type RawAnswer } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let gateways: [Gateway, Gateway];
let alice: string;
let lines: string[];

beforeAll(async () => {
  world = await World.start();
  world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.addUser({ subject: 'bob', groups: ['all'] });
  lines = [];
  const log = { write: (line: string) => void lines.push(line) };
  gateways = [await world.gateway({ LOG_LEVEL: 'warn' }, log), await world.gateway()];
  alice = await world.token('alice');
}, 60_000);
afterAll(() => world.close());

let tools: ChangingTools;
let connector: TestConnector;
let count = 0;
beforeEach(async () => {
  count += 1;
  tools = await ChangingTools.start();
  connector = world.manager.addConnector({ slug: `shop${count}`, endpoint: tools.upstream.url }, ['all']);
  for (const user of world.manager.users) world.manager.toggle(user, connector, true);
  await world.applyChanges();
  await pin('off');
});
afterEach(() => tools.upstream.close());

/** Sets the pinning of the connector at both replicas. */
async function pin(tool_pinning: ToolPinning): Promise<void> {
  world.manager.settings = {
    ...UNLIMITED_SETTINGS,
    connectors: { [connector.id]: { content: { tool_pinning } } },
  };
  world.manager.notifyChange();
  await eventually(() => world.manager.isPublishedAt(2) || undefined, 'both replicas have the settings');
}

const urlAt = (at: 0 | 1, mode = '') => `${gateways[at].url}/mcp/${connector.slug}${mode}`;
const list = async (at: 0 | 1 = 0, token = alice): Promise<string[]> =>
  ((await modern(urlAt(at), token, 'tools/list')).json.result?.['tools'] as { name: string }[]).map(({ name }) => name);
const call = (at: 0 | 1 = 0, token = alice): Promise<RawAnswer> =>
  modern(urlAt(at), token, 'tools/call', { name: PAY });
const isListed = async (at: 0 | 1 = 0) => (await list(at)).includes(PAY);
const isWithheldAt = (at: 0 | 1) => eventually(async () => !(await isListed(at)), `replica ${at} withholds the tool`);
const readChanges = () =>
  world.sql<{ tool: string; status: string }>(
    `SELECT tool, status FROM tool_definitions WHERE connector_id = '${connector.id}' AND status <> 'baseline'`,
  );
const readEvents = () =>
  world.sql<{ changed_fields: string[] }>(
    `SELECT changed_fields FROM audit_events WHERE operation = 'Record tool change'
       AND changed_fields::text LIKE '%${connector.id}%'`,
  );

describe('a gateway without tool pinning', () => {
  it('offers a changed tool and stores nothing', async () => {
    expect(await isListed()).toBe(true);
    tools.changeAgain();
    expect((await call()).json.result).toBeDefined();
    expect(await world.sql(`SELECT FROM tool_definitions WHERE connector_id = '${connector.id}'`)).toEqual([]);
  });
});

describe('a gateway that warns', () => {
  it('offers a changed tool, and records the change once with a line of the log and an audit event', async () => {
    await pin('warn');
    expect([await isListed(0), await isListed(1)]).toEqual([true, true]);
    tools.changeAgain();
    await eventually(async () => {
      expect([await isListed(0), await isListed(1)]).toEqual([true, true]);
      return (await readChanges()).length > 0;
    }, 'the change is recorded');
    expect((await call()).json.result).toBeDefined();
    expect(await readChanges()).toEqual([{ tool: PAY, status: 'pending' }]);
    expect(await readEvents()).toEqual([{ changed_fields: [`connectors/${connector.id}/tools/${PAY}`] }]);
  });
});

describe('a gateway that quarantines', () => {
  it('withholds a changed tool from lists, search and calls at all replicas', async () => {
    await pin('quarantine');
    expect([await isListed(0), await isListed(1)]).toEqual([true, true]);
    expect((await call()).json.result).toBeDefined();
    tools.changeAgain();
    for (const at of [0, 1] as const) {
      await isWithheldAt(at);
      expect((await call(at)).json.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('ask an administrator to accept it'),
        data: { reason: 'tool_withheld' },
      });
    }
    const found = await modern(urlAt(0, '?mode=search'), alice, 'tools/call', {
      name: 'find_tool',
      arguments: { query: 'pays bill' },
    });
    expect(JSON.stringify(found.json.result)).not.toContain('Pays');
    expect(await readChanges()).toEqual([{ tool: PAY, status: 'pending' }]);
  });

  it('offers the old definition again', async () => {
    await pin('quarantine');
    expect(await isListed()).toBe(true);
    tools.changeAgain();
    await isWithheldAt(0);
    tools.change('Pays a bill.');
    await eventually(() => isListed(), 'the tool is back');
    expect((await call()).json.result).toBeDefined();
  });

  it('withholds a tool that the server adds later', async () => {
    await pin('quarantine');
    expect(await isListed()).toBe(true);
    tools.change('Pays a bill.', ['steal']);
    await eventually(async () => (await readChanges()).length > 0 || (await list(), false), 'the tool is recorded');
    expect(await list()).not.toContain('steal');
    expect(await readChanges()).toEqual([{ tool: 'steal', status: 'pending' }]);
  });

  it('meters a call of a withheld tool as denied', async () => {
    await pin('quarantine');
    expect(await isListed()).toBe(true);
    tools.changeAgain();
    await isWithheldAt(0);
    await call();
    const rows = await world.sql(
      `SELECT decision, category FROM tool_calls WHERE connector_id = '${connector.id}' ORDER BY call_id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ decision: 'denied', category: 'denied' }]);
  });

  it('tells an open session that the tool has gone', async () => {
    await pin('quarantine');
    const session = await initialize(urlAt(0), alice);
    const { json } = await inSession(urlAt(0), alice, session, 'tools/list');
    expect(JSON.stringify(json)).toContain(PAY);
    tools.changeAgain();
    await eventually(
      async () => !JSON.stringify((await inSession(urlAt(0), alice, session, 'tools/list')).json).includes(PAY),
      'the tool has gone',
    );
  });
});
