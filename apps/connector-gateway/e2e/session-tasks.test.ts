import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { DataPlane } from '../src/data-plane/data-plane.ts';
import type { TestConnector, TestUser } from './support/manager.ts';
import { inSession, modern, post } from './support/raw.ts';
import { reply, type Script, scripted, type ScriptedServer, stream } from './support/scripted.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const RELATED = 'io.modelcontextprotocol/related-task';
const UNKNOWN = { code: -32602, message: 'unknown task' };

type Person = 'alice' | 'bob';

/** A task of the upstream. */
interface Task {
  session: string;
  tool: string;
  status: string;
}

let world: World;
let database: pg.Pool;
let upstream: ScriptedServer;
let careless: ScriptedServer;
let gateways: [Gateway, Gateway];
let connector: TestConnector;
let people: Record<Person, TestUser>;
let tokens: Record<Person, string>;
const tasks = new Map<string, Task>();
/** Standalone streams of the upstream by session, and ended sessions. */
const streams = new Map<string, ServerResponse>();
const ended: string[] = [];
/** The open questions of the upstream, by id. */
const questions = new Map<unknown, (answer: unknown) => void>();
const received: { ttl: unknown; related: unknown }[] = [];
let sessions = 0;

const getSession = (headers: Record<string, unknown>): string => String(headers['mcp-session-id']);
const describeTask = (taskId: string) => {
  const { status } = tasks.get(taskId)!;
  const at = '2026-01-01T00:00:00Z';
  return { taskId, status, createdAt: at, lastUpdatedAt: at, ttl: null, pollInterval: 20 };
};
const announce = (taskId: string) =>
  streams
    .get(tasks.get(taskId)!.session)
    ?.write(
      `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: describeTask(taskId) })}\n\n`,
    );

/** Answers a request about a task. The tool `bound` knows its tasks in their own session only. */
const aboutTask =
  (answer: (taskId: string, task: Task, message: Parameters<Script>[0], response: ServerResponse) => unknown): Script =>
  (message, response, { headers }) => {
    const taskId = String(message.params?.['taskId']);
    const task = tasks.get(taskId);
    if (task !== undefined && (task.tool !== 'bound' || task.session === getSession(headers)))
      return answer(taskId, task, message, response);
    reply(response, { id: message.id, error: { code: -32602, message: `no task ${taskId}` } });
    return undefined;
  };

/** An upstream with sessions and the tasks of revision 2025-11-25. */
const startUpstream = () =>
  scripted({
    initialize: ({ id }, response) => {
      response.setHeader('mcp-session-id', `upstream-${(sessions += 1)}`);
      const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
      reply(response, {
        id,
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'jobs', version: '1' } },
      });
    },
    'tools/list': () => ({
      tools: [
        { name: 'plain', inputSchema: { type: 'object' } },
        { name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
        { name: 'bound', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
      ],
    }),
    'tools/call': ({ params }, _, { headers }) => {
      if (params?.['task'] === undefined) return { content: [{ type: 'text', text: 'at once' }] };
      const taskId = `secret-${tasks.size}`;
      received.push({ ttl: (params['task'] as { ttl?: number }).ttl, related: undefined });
      tasks.set(taskId, { session: getSession(headers), tool: String(params['name']), status: 'working' });
      return { task: describeTask(taskId) };
    },
    'tasks/get': aboutTask(describeTask),
    'tasks/cancel': aboutTask((taskId, task) => {
      task.status = 'cancelled';
      return describeTask(taskId);
    }),
    'tasks/result': aboutTask((taskId, task, { id }, response) => {
      const send = stream(response);
      const related = { [RELATED]: { taskId } };
      const question = `ask ${taskId}`;
      task.status = 'input_required';
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      questions.set(question, (answer) => {
        task.status = 'completed';
        send({ id, result: { content: [{ type: 'text', text: JSON.stringify(answer) }], _meta: related } });
        response.end();
      });
      send({
        id: question,
        method: 'elicitation/create',
        params: { message: 'Name?', requestedSchema, _meta: related },
      });
      return undefined;
    }),
    answer: (message, response) => {
      response.writeHead(202).end();
      questions.get(message.id)?.((message as { result?: unknown }).result);
    },
    GET: (_, response, { headers }) => {
      stream(response);
      response.flushHeaders();
      streams.set(getSession(headers), response);
    },
    DELETE: (_, response, { headers }) => {
      ended.push(getSession(headers));
      response.writeHead(200).end();
    },
  });

/** An upstream whose tool speaks of tasks, which the upstream does not negotiate. */
const startCarelessUpstream = () =>
  scripted({
    'tools/list': () => ({
      tools: [{ name: 'only', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
    }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  });

beforeAll(async () => {
  world = await World.start();
  database = new pg.Pool({ connectionString: world.database.ownerUrl, max: 1 });
  upstream = await startUpstream();
  careless = await startCarelessUpstream();
  connector = world.manager.addConnector({ slug: 'jobs', endpoint: upstream.url }, ['all']);
  const other = world.manager.addConnector({ slug: 'careless', endpoint: careless.url }, ['all']);
  const addUser = (subject: string) => {
    const user = world.manager.addUser({ subject, groups: ['all'] });
    for (const one of [connector, other]) world.manager.toggle(user, one, true);
    return user;
  };
  people = { alice: addUser('alice'), bob: addUser('bob') };
  tokens = { alice: await world.token('alice'), bob: await world.token('bob') };
  gateways = [await world.gateway(), await world.gateway()];
}, 60_000);

beforeEach(() => database.query('DELETE FROM mcp_tasks'));

afterAll(async () => {
  await database.end();
  await world.close();
  await Promise.all([upstream.close(), careless.close()]);
});

const getUrl = (at: 0 | 1) => `${gateways[at].url}/mcp`;

/** A session of a user, at any replica. */
async function begin(as: Person = 'alice', protocolVersion = '2025-11-25') {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const headers = { authorization: `Bearer ${tokens[as]}` };
  const response = await post(getUrl(0), { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = response.headers.get('mcp-session-id')!;
  const request = async (method: string, values: Record<string, unknown> = {}, at: 0 | 1 = 0) =>
    (await inSession(getUrl(at), tokens[as], id, method, values)).json;
  return {
    id,
    capabilities: response.json.result?.['capabilities'],
    request,
    call: (name: string, task?: object) => request('tools/call', { name, arguments: {}, ...(task && { task }) }),
    /** @returns the id of the new task */
    start: async (name = 'jobs__job') => {
      const { result } = await request('tools/call', { name, arguments: {}, task: { ttl: 60_000 } });
      return (result?.['task'] as { taskId: string }).taskId;
    },
    end: () => fetch(getUrl(0), { method: 'DELETE', headers: { ...headers, 'mcp-session-id': id } }),
    /** Opens the standalone stream. @returns its text so far */
    listen: async () => {
      const controller = new AbortController();
      const stream = await fetch(getUrl(0), {
        headers: { ...headers, 'mcp-session-id': id, accept: 'text/event-stream' },
        signal: controller.signal,
      });
      const seen = { text: '', stop: () => controller.abort() };
      const read = async () => {
        for await (const chunk of stream.body!) seen.text += Buffer.from(chunk as Uint8Array).toString();
      };
      void read().catch(() => undefined);
      return seen;
    },
  };
}

describe('A task of a client with a session', () => {
  verifies(['tasks:negotiated'], 'is negotiated with clients and upstreams of revision 2025-11-25 only', async () => {
    const executions = (tools: unknown) =>
      Object.fromEntries((tools as { name: string; execution?: object }[]).map((tool) => [tool.name, tool.execution]));
    const current = await begin();
    expect(current.capabilities).toMatchObject({ tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } });
    expect(executions((await current.request('tools/list')).result?.['tools'])).toEqual({
      jobs__plain: undefined,
      jobs__job: { taskSupport: 'optional' },
      jobs__bound: { taskSupport: 'required' },
      careless__only: undefined,
    });
    const old = await begin('alice', '2025-06-18');
    expect(old.capabilities).not.toHaveProperty('tasks');
    const lists = [
      (await old.request('tools/list')).result?.['tools'],
      (await modern(getUrl(0), tokens.alice, 'tools/list')).json.result?.['tools'],
    ];
    for (const tools of lists) expect(Object.values(executions(tools))).toEqual(Array(4).fill(undefined));
  });

  verifies(['tasks:result'], 'serves a stock client, with a question on the stream of tasks/result', async () => {
    const client = new Client({ name: 'stock', version: '1' }, { capabilities: { elicitation: { form: {} } } });
    const transport = new StreamableHTTPClientTransport(new URL(getUrl(0)), {
      requestInit: { headers: { authorization: `Bearer ${tokens.alice}` } },
    });
    await client.connect(transport);
    const asked: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params._meta?.[RELATED]);
      return { action: 'accept', content: { name: 'Ada' } };
    });
    await client.listTools();
    const { task } = await client.request(
      { method: 'tools/call', params: { name: 'jobs__job', arguments: {}, task: { ttl: 60_000 } } },
      (await import('@modelcontextprotocol/sdk/types.js')).CreateTaskResultSchema,
    );
    const result = await client.request(
      { method: 'tasks/result', params: { taskId: task.taskId } },
      CallToolResultSchema,
    );
    expect(result.content).toMatchObject([{ text: JSON.stringify({ action: 'accept', content: { name: 'Ada' } }) }]);
    expect(asked).toEqual([{ taskId: task.taskId }]);
    expect(result._meta).toEqual({ [RELATED]: { taskId: task.taskId } });
    expect(task.taskId).not.toContain('secret');
    await client.close();
  });

  verifies(['tasks:legacy'], 'is served by every replica', async () => {
    const { start, request } = await begin();
    const taskId = await start();
    expect(received.at(-1)?.ttl).toBe(60_000);
    expect((await request('tasks/get', { taskId }, 1)).result).toMatchObject({ taskId, status: 'working' });
    expect((await request('tasks/list', {}, 1)).result).toMatchObject({ tasks: [{ taskId, status: 'working' }] });
    expect((await request('tasks/cancel', { taskId }, 1)).result).toMatchObject({ taskId, status: 'cancelled' });
    expect((await request('tasks/list')).result).toMatchObject({ tasks: [{ taskId, status: 'cancelled' }] });
  });

  it('is listed in pages, newest first', async () => {
    const { start, request } = await begin();
    const started: string[] = [];
    for (let at = 0; at < 25; at += 1) started.unshift(await start());
    const first = (await request('tasks/list')).result!;
    const second = (await request('tasks/list', { cursor: first['nextCursor'] }, 1)).result!;
    const listed = [first, second].flatMap((page) => page['tasks'] as { taskId: string }[]);
    expect(listed.map(({ taskId }) => taskId)).toEqual(started);
    expect(second).not.toHaveProperty('nextCursor');
    const bob = await begin('bob');
    for (const cursor of [first['nextCursor'], 'forged'])
      expect((await bob.request('tasks/list', { cursor })).error?.code).toBe(-32602);
  });

  verifies(
    ['tasks:rights', 'tasks:eras'],
    'is unknown to another user, without its right, in the other era and under a forged id',
    async () => {
      const { start, request } = await begin();
      const bob = await begin('bob');
      const taskId = await start();
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
        expect((await bob.request(method, { taskId })).error).toEqual(UNKNOWN);
        expect((await request(method, { taskId: 'secret-0' })).error).toEqual(UNKNOWN);
      }
      expect((await bob.request('tasks/list')).result).toEqual({ tasks: [] });
      const _meta = {
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      };
      const other = await modern(getUrl(0), tokens.alice, 'tasks/get', { taskId, _meta });
      expect(other.json.error).toEqual(UNKNOWN);
      world.manager.toggle(people.alice, connector, false);
      await world.applyChanges();
      expect((await request('tasks/get', { taskId })).error).toEqual(UNKNOWN);
      expect((await request('tasks/list')).result).toEqual({ tasks: [] });
      world.manager.toggle(people.alice, connector, true);
      await world.applyChanges();
    },
  );

  verifies(['tasks:eras'], 'explains calls that do not fit the tool', async () => {
    const current = await begin();
    expect((await current.call('jobs__bound')).error).toMatchObject({ code: -32601 });
    for (const name of ['jobs__plain', 'careless__only'])
      expect((await current.call(name, {})).error).toMatchObject({ code: -32601 });
    expect((await current.call('jobs__job', { ttl: -1 })).error).toMatchObject({ code: -32602 });
    expect((await current.call('jobs__job')).result).toMatchObject({ content: [{ text: 'at once' }] });
    expect((await current.call('careless__only')).result).toMatchObject({ content: [{ text: 'done' }] });
    const old = await begin('alice', '2025-06-18');
    expect((await old.call('jobs__job', { ttl: 1 })).result).toMatchObject({ content: [{ text: 'at once' }] });
    const message = expect.stringContaining('only as a task of revision 2025-11-25') as unknown;
    expect((await old.call('jobs__bound')).error).toMatchObject({ message });
    const newest = await modern(getUrl(0), tokens.alice, 'tools/call', { name: 'jobs__bound', arguments: {} });
    expect(newest.json.error).toMatchObject({ message });
    for (const method of ['tasks/get', 'tasks/list', 'tasks/result'])
      expect((await old.request(method, { taskId: 'x' })).error?.code).toBe(-32601);
    expect((await current.request('tasks/update', { taskId: 'x' })).error?.code).toBe(-32601);
  });

  verifies(['tasks:ids'], 'announces its states to the session that created it only', async () => {
    const [own, other] = [await begin(), await begin()];
    const [first, second] = [await own.listen(), await other.listen()];
    const taskId = await own.start();
    const upstreamId = [...tasks.keys()].at(-1)!;
    await eventually(() => streams.has(tasks.get(upstreamId)!.session) || undefined, 'the gateway listens');
    tasks.get(upstreamId)!.status = 'completed';
    announce(upstreamId);
    await eventually(() => first.text.includes('notifications/tasks/status') || undefined, 'the announcement');
    expect(first.text).toContain(taskId);
    expect(first.text).toContain('"status":"completed"');
    const later = await other.start();
    const laterId = [...tasks.keys()].at(-1)!;
    await eventually(() => streams.has(tasks.get(laterId)!.session) || undefined, 'the gateway listens');
    announce(laterId);
    await eventually(() => second.text.includes(later) || undefined, 'the other announcement');
    expect(second.text).not.toContain(taskId);
    expect(first.text + second.text).not.toContain('secret-');
    first.stop();
    second.stop();
  });

  it('keeps the session of its upstream beyond the session of the client, until it ends', async () => {
    const { start, end } = await begin();
    const taskId = await start('jobs__bound');
    const { session } = [...tasks.values()].at(-1)!;
    await end();
    const { upstreams } = gateways[0].service.app.get(DataPlane).plane;
    const sweep = () =>
      upstreams.sweep(gateways[0].service.app.get(DataPlane).plane.directory.getRules()!.connectors, () => true);
    sweep();
    const next = await begin();
    expect((await next.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    expect(ended).not.toContain(session);
    expect((await next.request('tasks/cancel', { taskId })).result).toMatchObject({ status: 'cancelled' });
    sweep();
    await eventually(() => ended.includes(session) || undefined, 'the session of the upstream ends');
  });

  verifies(['tasks:one-record'], 'has one record of its call, written when the task begins', async () => {
    // No other test calls tools as this user.
    const { start, call, request } = await begin('bob');
    const findRecords = () =>
      [...world.manager.records.values()].filter((one) => JSON.stringify(one).includes('bob@example.test'));
    const taskId = await start();
    await eventually(() => findRecords().length > 0 || undefined, 'the record is delivered');
    expect(findRecords()).toMatchObject([{ tool_name: 'job', outcome: 'unspecified', billable: true }]);
    await request('tasks/get', { taskId });
    await request('tasks/cancel', { taskId });
    await call('jobs__plain');
    await eventually(() => findRecords().length > 1 || undefined, 'the later record is delivered');
    expect(findRecords().map((one) => one['tool_name'])).toEqual(['job', 'plain']);
  });
});
