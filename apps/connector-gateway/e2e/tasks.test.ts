import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceServer, startConformanceServer } from '@gatehouse/testing/conformance-server';
import pg from 'pg';
import type { TestConnector, TestUser } from './support/manager.ts';
import { modern } from './support/raw.ts';
import { reply, scripted, type ScriptedServer } from './support/scripted.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

type Person = 'alice' | 'bob' | 'carol';

let world: World;
let database: pg.Pool;
let upstream: ConformanceServer;
let counted: ScriptedServer;
let gateways: [Gateway, Gateway];
let connector: TestConnector;
let people: Record<Person, TestUser>;
let tokens: Record<Person, string>;
/** Tasks that the counting upstream created and cancelled. */
const created: string[] = [];
const cancelled: string[] = [];

/** A modern upstream that creates a task for each call. */
const startCountedUpstream = () =>
  scripted({
    'server/discover': () => ({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, ...TASKS },
    }),
    'tools/list': () => ({ tools: [{ name: 'only', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ id }, response) => {
      const taskId = `secret-${created.length}`;
      created.push(taskId);
      const at = new Date().toISOString();
      const task = { taskId, status: 'working', createdAt: at, lastUpdatedAt: at, ttlMs: null, requestState: 'x' };
      reply(response, { id, result: { resultType: 'task', ...task } });
    },
    'tasks/get': ({ id, params }, response) => {
      const taskId = String(params?.['taskId']);
      reply(response, { id, error: { code: -32602, message: `no task ${taskId}`, data: { taskId } } });
    },
    'tasks/cancel': ({ params }) => {
      cancelled.push(String(params?.['taskId']));
      return { resultType: 'complete' };
    },
  });

beforeAll(async () => {
  world = await World.start();
  database = new pg.Pool({ connectionString: world.database.ownerUrl, max: 1 });
  upstream = await startConformanceServer();
  counted = await startCountedUpstream();
  connector = world.manager.addConnector({ slug: 'jobs', endpoint: upstream.url }, ['all']);
  const other = world.manager.addConnector({ slug: 'counted', endpoint: counted.url }, ['all']);
  const addUser = (subject: string) => {
    const user = world.manager.addUser({ subject, groups: ['all'] });
    for (const one of [connector, other]) world.manager.toggle(user, one, true);
    return user;
  };
  people = { alice: addUser('alice'), bob: addUser('bob'), carol: addUser('carol') };
  tokens = {
    alice: await world.token('alice'),
    bob: await world.token('bob'),
    carol: await world.token('carol'),
  };
  gateways = [await world.gateway(), await world.gateway()];
}, 60_000);

afterAll(async () => {
  await database.end();
  await world.close();
  await counted.close();
});

const request = (
  method: string,
  params: Record<string, unknown>,
  { as = 'alice', at = 0, path = '/mcp', capabilities = TASKS }: Partial<Options> = {},
) => modern(`${gateways[at].url}${path}`, tokens[as], method, { ...params, _meta: { [CAPABILITIES]: capabilities } });

interface Options {
  as: Person;
  /** The replica. */
  at: 0 | 1;
  path: string;
  capabilities: object;
}

/** Calls a tool. @returns the id of its task */
async function start(name: string, values: object = {}, options: Partial<Options> = {}): Promise<string> {
  const { json } = await request('tools/call', { name, arguments: values }, options);
  expect(json.result).toMatchObject({ resultType: 'task', status: 'working' });
  return String(json.result?.['taskId']);
}

const getTask = async (taskId: string, options: Partial<Options> = {}) =>
  (await request('tasks/get', { taskId }, options)).json;

const untilStatus = (taskId: string, status: string, options: Partial<Options> = {}) =>
  eventually(async () => {
    const { result } = await getTask(taskId, options);
    return result?.['status'] === status ? result : undefined;
  }, `the task is ${status}`);

const slow = () => start('jobs__slow_compute', { seconds: 60 });

const UNKNOWN = { code: -32602, message: 'unknown task' };

describe('A task of a client without sessions', () => {
  verifies(['tasks:modern'], 'is served by every replica, with its result', async () => {
    const taskId = await start('jobs__failing_job');
    const done = await untilStatus(taskId, 'completed', { at: 1 });
    expect(done).toMatchObject({ taskId, resultType: 'complete', result: { isError: true } });
    expect((await getTask(taskId)).result).toEqual(done);
  });

  verifies(['tasks:modern'], 'is answered and cancelled at another replica than the one that created it', async () => {
    const capabilities = { ...TASKS, elicitation: { form: {} } };
    const taskId = await start('jobs__confirm_delete', { filename: 'a' }, { capabilities });
    const asking = await untilStatus(taskId, 'input_required', { at: 1, capabilities });
    const [key] = Object.keys(asking['inputRequests'] as object);
    const inputResponses = { [key!]: { action: 'accept', content: { confirm: 'yes' } } };
    const updated = await request('tasks/update', { taskId, inputResponses }, { at: 1, capabilities });
    expect(updated.json.result).toMatchObject({ resultType: 'complete' });
    expect(await untilStatus(taskId, 'completed', { capabilities })).toMatchObject({
      result: { content: [{ text: expect.stringContaining('yes') as unknown }] },
    });
    const running = await slow();
    expect((await request('tasks/cancel', { taskId: running }, { at: 1 })).json.result).toBeDefined();
    await untilStatus(running, 'cancelled');
  });

  verifies(['tasks:rights'], 'is unknown to another user, at another connector, and under a forged id', async () => {
    const taskId = await slow();
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const answers = [
        await request(method, { taskId, inputResponses: {} }, { as: 'bob' }),
        await request(method, { taskId, inputResponses: {} }, { path: '/mcp/counted' }),
        await request(method, { taskId: `${taskId}x`, inputResponses: {} }),
        await request(method, { taskId: "' OR true --", inputResponses: {} }),
      ];
      for (const { json } of answers) expect(json.error).toEqual(UNKNOWN);
    }
    expect((await getTask(taskId, { path: '/mcp/jobs' })).result).toMatchObject({ status: 'working' });
    expect((await getTask(taskId)).result).toMatchObject({ status: 'working' });
  });

  verifies(['tasks:rights'], 'is unknown while the user may not call its tool', async () => {
    const taskId = await slow();
    world.manager.toggle(people.alice, connector, true, ['slow_compute']);
    await world.applyChanges();
    expect((await getTask(taskId)).error).toEqual(UNKNOWN);
    world.manager.toggle(people.alice, connector, false);
    await world.applyChanges();
    expect((await getTask(taskId, { at: 1 })).error).toEqual(UNKNOWN);
    world.manager.toggle(people.alice, connector, true);
    await world.applyChanges();
    expect((await getTask(taskId)).result).toMatchObject({ status: 'working' });
  });

  verifies(['tasks:declared'], 'needs a client that declares the extension', async () => {
    const taskId = await slow();
    const undeclared = { capabilities: {} };
    const required = { requiredCapabilities: TASKS };
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { json } = await request(method, { taskId, inputResponses: {} }, undeclared);
      expect(json.error).toMatchObject({ code: -32021, data: required });
    }
    const call = await request('tools/call', { name: 'jobs__failing_job', arguments: {} }, undeclared);
    expect(call.json.error).toMatchObject({ code: -32021, data: required });
    const listen = await request('subscriptions/listen', { notifications: { taskIds: [taskId] } }, undeclared);
    expect(listen.json.error).toMatchObject({ code: -32021, data: required });
  });

  verifies(['tasks:ids'], 'never shows the id of the upstream', async () => {
    const { json, text } = await request('tools/call', { name: 'counted__only', arguments: {} }, { as: 'bob' });
    expect(json.result).toMatchObject({ resultType: 'task', ttlMs: 86_400_000 });
    expect(json.result).not.toHaveProperty('requestState');
    const taskId = String(json.result?.['taskId']);
    const answer = await request('tasks/get', { taskId }, { as: 'bob' });
    expect(answer.json.error).toEqual({ code: -32602, message: `no task ${taskId}` });
    expect(text + answer.text).not.toContain('secret-');
  });

  it('refuses a task that an upstream creates for a client without tasks', async () => {
    const { json } = await request('tools/call', { name: 'counted__only', arguments: {} }, { capabilities: {} });
    expect(json.result).toMatchObject({ resultType: 'complete', isError: true });
  });

  verifies(['tasks:one-record'], 'has one record of its call, written when the task begins', async () => {
    const records = () => [...world.manager.records.values()].filter((one) => one['tool_name'] === 'multi_input');
    const taskId = await start('jobs__multi_input');
    await untilStatus(taskId, 'input_required');
    await request('tasks/cancel', { taskId });
    await eventually(() => records().length > 0 || undefined, 'the record is delivered');
    expect(records()).toMatchObject([{ outcome: 'unspecified', billable: true }]);
  });

  verifies(['tasks:limit'], 'is cancelled if the user has 100 tasks, until older ones expire', async () => {
    const call = () => request('tools/call', { name: 'counted__only', arguments: {} }, { as: 'carol' });
    for (let at = 0; at < 100; at += 1) expect((await call()).json.result?.['resultType']).toBe('task');
    const { json } = await call();
    expect(json.error?.message).toContain('you have 100 tasks, the most');
    expect(cancelled.at(-1)).toBe(created.at(-1));
    await database.query(`UPDATE mcp_tasks SET expires_at = now() WHERE subject = 'carol'`);
    expect((await call()).json.result?.['resultType']).toBe('task');
  });

  // The last test, since it stops the upstream.
  it('is an error while its upstream is down', async () => {
    const taskId = await slow();
    await upstream.close();
    expect((await getTask(taskId)).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('did not answer') as unknown,
    });
  });
});
