import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import type { TestConnector, TestSettings } from './support/manager.ts';
import { modern, post, type RawAnswer } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let upstream: McpUpstream;
let tools: TestConnector;
let others: TestConnector;
let database: pg.Client;
let one: Gateway;
let other: Gateway;
let users = 0;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream({ slowMs: 1_500 });
  tools = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  others = world.manager.addConnector({ slug: 'others', endpoint: upstream.url }, ['all']);
  one = await world.gateway();
  other = await world.gateway();
  database = new pg.Client({ connectionString: world.database.url });
  await database.connect();
}, 60_000);

afterAll(async () => {
  await database.end();
  await world.close();
  await upstream.close();
});

beforeEach(() => limit({}));

/** Replaces the limits and waits until both replicas have them. */
async function limit(limits: Partial<TestSettings['limits']>, own: Partial<TestSettings['limits']> = {}) {
  const connectors = { [others.id]: { limits: own } };
  world.manager.settings = {
    ...UNLIMITED_SETTINGS,
    limits: { ...UNLIMITED_SETTINGS.limits, ...limits },
    connectors,
  };
  world.manager.notifyChange();
  await eventually(() => world.manager.isPublishedAt(2) || undefined, 'both replicas have the settings');
}

/** Creates a user of both connectors. @returns a token */
async function createUser(): Promise<string> {
  users += 1;
  const user = world.manager.addUser({ subject: `limited-${users}`, groups: ['all'] });
  for (const connector of [tools, others]) world.manager.toggle(user, connector, true);
  await world.applyChanges();
  return world.token(user.subject);
}

interface Call {
  gateway?: Gateway;
  slug?: string;
  tool?: string;
  text?: string;
}

const call = (token: string, { gateway = one, slug = 'tools', tool = upstream.tools.echo, text = 'x' }: Call = {}) =>
  modern(`${gateway.url}/mcp`, token, 'tools/call', { name: `${slug}__${tool}`, arguments: { text } });

const isAdmitted = ({ json }: RawAnswer): boolean => json.result !== undefined;

/** Expects a refusal with 429 and the time until the next call. */
function expectTooMany({ json }: RawAnswer, sentence: string): void {
  expect(json.error).toMatchObject({
    code: 429,
    message: expect.stringContaining(sentence),
    data: { retryAfterSeconds: expect.any(Number) },
  });
  const { retryAfterSeconds } = json.error?.data as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect(retryAfterSeconds).toBeLessThanOrEqual(62);
}

/** The record of the latest call of a user. */
const findRecord = async (subject: string): Promise<object | undefined> =>
  (
    await database.query<object>(
      `SELECT decision, category, billable, billable_reason FROM tool_calls WHERE subject = $1 ORDER BY call_id DESC LIMIT 1`,
      [subject],
    )
  ).rows[0];
const createRefusalRecord = (billable_reason: string) => ({
  decision: 'unspecified',
  category: 'not_evaluated',
  billable: false,
  billable_reason,
});

/** Begins slow calls and waits until they are at the upstream. @returns their responses */
async function beginSlowCalls(token: string, calls: number): Promise<Promise<RawAnswer>[]> {
  const text = randomUUID();
  const running = Array.from({ length: calls }, () => call(token, { tool: upstream.tools.slow, text }));
  const countStarted = () =>
    upstream.calls('tools/call').filter((received) => JSON.stringify(received.arguments).includes(text)).length;
  await eventually(() => countStarted() === calls || undefined, 'the slow calls are at the upstream');
  return running;
}

describe('calls_per_minute_per_person', () => {
  it('limits the calls of one user over all replicas, and no other user', async () => {
    const token = await createUser();
    await limit({ calls_per_minute_per_person: 5 });
    for (let at = 0; at < 5; at += 1)
      expect(isAdmitted(await call(token, { gateway: at % 2 ? one : other }))).toBe(true);
    const before = upstream.calls('tools/call').length;
    for (const gateway of [one, other])
      expectTooMany(await call(token, { gateway, slug: 'others' }), 'you have made 5 tool calls in a minute');
    expect(upstream.calls('tools/call')).toHaveLength(before);
    expect(await findRecord(`limited-${users}`)).toEqual(
      createRefusalRecord('rate limited: you have made 5 tool calls in a minute'),
    );
    expect(isAdmitted(await call(await createUser()))).toBe(true);
  });

  it('admits at least nine tenths of the calls, and no more than all, of concurrent callers', async () => {
    const token = await createUser();
    await limit({ calls_per_minute_per_person: 100 });
    const responses: RawAnswer[] = [];
    for (let round = 0; round < 5; round += 1)
      responses.push(
        ...(await Promise.all(Array.from({ length: 32 }, (_, at) => call(token, { gateway: at % 2 ? one : other })))),
      );
    const admitted = responses.filter(isAdmitted).length;
    expect(admitted).toBeLessThanOrEqual(100);
    expect(admitted).toBeGreaterThanOrEqual(90);
  });

  it('is that of the connector where it has its own', async () => {
    const token = await createUser();
    await limit({ calls_per_minute_per_person: 1 }, { calls_per_minute_per_person: 2 });
    const slugs = ['tools', 'others', 'others'];
    for (const slug of slugs) expect(isAdmitted(await call(token, { slug }))).toBe(true);
    expectTooMany(await call(token), 'you have made 1 tool calls');
    expectTooMany(await call(token, { slug: 'others' }), 'you have made 2 tool calls');
    await limit({ calls_per_minute_per_person: 1 }, { calls_per_minute_per_person: null });
    expect(isAdmitted(await call(token, { slug: 'others' }))).toBe(true);
  });

  it('applies a change while calls run', async () => {
    const token = await createUser();
    const [running] = await beginSlowCalls(token, 1);
    await limit({ calls_per_minute_per_person: 1 });
    expect(isAdmitted(await call(token))).toBe(true);
    expectTooMany(await call(token), 'you have made 1');
    await limit({ calls_per_minute_per_person: 2 });
    expect(isAdmitted(await call(token))).toBe(true);
    expectTooMany(await call(token), 'you have made 2');
    await limit({});
    expect(isAdmitted(await call(token))).toBe(true);
    expect(isAdmitted((await running)!)).toBe(true);
  });
});

describe('calls_per_minute_per_tool', () => {
  it('limits the calls of all users together, and leaves other tools alone', async () => {
    const [first, second] = [await createUser(), await createUser()];
    await limit({ calls_per_minute_per_tool: 2 });
    expect(isAdmitted(await call(first, { tool: upstream.tools.progress }))).toBe(true);
    expect(isAdmitted(await call(second, { tool: upstream.tools.progress, gateway: other }))).toBe(true);
    expectTooMany(await call(first, { tool: upstream.tools.progress }), 'this tool was called 2 times in a minute');
    expect(isAdmitted(await call(first, { tool: upstream.tools.progress, slug: 'others' }))).toBe(true);
    expect(isAdmitted(await call(first))).toBe(true);
  });
});

describe('concurrent_calls_per_connector', () => {
  it('limits the calls under way, and frees their places when they end', async () => {
    const token = await createUser();
    await limit({ concurrent_calls_per_connector: 2 });
    const running = await beginSlowCalls(token, 2);
    expectTooMany(await call(token), '2 calls of Connector tools are under way');
    expect(await findRecord(`limited-${users}`)).toEqual(
      createRefusalRecord('concurrency limited: 2 calls are under way'),
    );
    expect(isAdmitted(await call(token, { slug: 'others' }))).toBe(true);
    for (const response of await Promise.all(running)) expect(isAdmitted(response)).toBe(true);
    expect(isAdmitted(await call(token))).toBe(true);
  });

  it('frees the places of failed and refused calls', async () => {
    const token = await createUser();
    await limit({ concurrent_calls_per_connector: 1, max_argument_bytes: 50 });
    for (let at = 0; at < 3; at += 1) {
      expect((await call(token, { text: 'x'.repeat(100) })).json.error?.code).toBe(-32602);
      expect((await call(token, { tool: upstream.tools.failing })).json.result).toMatchObject({ isError: true });
    }
    expect(isAdmitted(await call(token))).toBe(true);
  });
});

describe('max_argument_bytes', () => {
  it('refuses larger arguments before the call, and admits those of the exact size', async () => {
    const token = await createUser();
    const bytes = Buffer.byteLength(JSON.stringify({ text: 'é' }));
    await limit({ max_argument_bytes: bytes });
    expect(isAdmitted(await call(token, { text: 'é' }))).toBe(true);
    const before = upstream.calls('tools/call').length;
    const { json } = await call(token, { text: 'éa' });
    expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining('params.arguments has more') });
    expect(upstream.calls('tools/call')).toHaveLength(before);
    expect(await findRecord(`limited-${users}`)).toEqual(
      createRefusalRecord(`the arguments have more than ${bytes} bytes`),
    );
  });
});

describe('max_result_bytes', () => {
  it('replaces a larger result with a tool error that says so', async () => {
    const token = await createUser();
    await limit({ max_result_bytes: 500 });
    expect((await call(token)).json.result?.['isError']).not.toBe(true);
    const { json } = await call(token, { text: 'y'.repeat(500) });
    expect(json.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('has more than 500 bytes') }],
    });
    expect(JSON.stringify(json)).not.toContain('yyy');
  });
});

describe('sessions_per_person', () => {
  const begin = (token: string, gateway: Gateway, path: string): Promise<RawAnswer> =>
    post(
      `${gateway.url}${path}`,
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
      },
      { authorization: `Bearer ${token}` },
    );

  it('limits the sessions of a user over all replicas', async () => {
    const token = await createUser();
    await limit({ sessions_per_person: 2 }, { sessions_per_person: 1 });
    expect((await begin(token, one, '/mcp')).status).toBe(200);
    expect((await begin(token, other, '/mcp/others')).status).toBe(200);
    expectTooMany(await begin(token, one, '/mcp'), 'you have 2 sessions');
    expectTooMany(await begin(token, one, '/mcp/others'), 'you have 1 sessions');
    await limit({ sessions_per_person: 3 });
    expect((await begin(token, one, '/mcp')).status).toBe(200);
  });
});
