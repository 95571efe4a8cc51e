import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inSession, initialize, modern, post, type RawAnswer } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const LIMIT = 64;

let world: World;
let upstream: McpUpstream;
let database: pg.Client;
let one: Gateway;
let other: Gateway;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream({ slowMs: 1_500 });
  world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  one = await world.gateway();
  other = await world.gateway();
  database = new pg.Client({ connectionString: world.database.url });
  await database.connect();
});

afterAll(async () => {
  await database.end();
  await world.close();
  await upstream.close();
});

/** Creates a user with the tools. @returns a token of the user */
async function newUser(subject: string): Promise<string> {
  const user = world.manager.addUser({ subject, groups: ['all'] });
  world.manager.toggle(user, world.manager.connectors[0]!, true);
  return world.token(subject);
}

const begin = (gateway: Gateway, token: string): Promise<RawAnswer> =>
  post(
    `${gateway.url}/mcp`,
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    },
    { authorization: `Bearer ${token}` },
  );

const countSessions = async (subject: string): Promise<number> =>
  Number(
    (await database.query<{ count: string }>('SELECT count(*) FROM mcp_sessions WHERE subject = $1', [subject])).rows[0]
      ?.count,
  );

const idle = (ids: readonly string[], minutes: number) =>
  database.query(`UPDATE mcp_sessions SET used_at = now() - $2 * interval '1 minute' WHERE id = ANY ($1)`, [
    ids,
    minutes,
  ]);

const openStream = (gateway: Gateway, token: string, session: string, signal: AbortSignal) =>
  fetch(`${gateway.url}/mcp`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': session },
    signal,
  });

describe('the sessions of one user', () => {
  /** The text of a stream whose session ended on another replica. A sweep (10 s) ends it. */
  let endedStream: Promise<string>;
  beforeAll(async () => {
    const token = await newUser('mover');
    const session = await initialize(`${one.url}/mcp`, token);
    const stream = await openStream(one, token, session, new AbortController().signal);
    const ended = await fetch(`${other.url}/mcp`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'mcp-session-id': session },
    });
    expect(ended.status).toBe(200);
    endedStream = stream.text();
  });

  verifies(['session:limit', 'session:bounded'], 'are at most 64, and all work', async () => {
    const token = await newUser('many');
    const ids = await Promise.all(Array.from({ length: LIMIT }, () => initialize(`${one.url}/mcp`, token)));
    const refused = await begin(one, token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.json.error).toMatchObject({ code: 429, data: { retryAfterSeconds: 60 } });
    expect(refused.json.error?.message).toContain('64 sessions');
    expect(await countSessions('many')).toBe(LIMIT);
    const name = `tools__${upstream.tools.echo}`;
    // All sessions are open and called in turns.
    for (let at = 0; at < ids.length; at += 16) {
      const some = ids.slice(at, at + 16);
      const responses = await Promise.all(
        some.map((id) => inSession(`${one.url}/mcp`, token, id, 'tools/call', { name, arguments: { text: id } })),
      );
      for (const [index, { text }] of responses.entries()) expect(text).toContain(some[index]);
    }
    expect((await begin(one, await newUser('neighbour'))).status).toBe(200);
  });

  verifies(['session:limit'], 'are counted over all replicas, also for concurrent requests', async () => {
    const token = await newUser('racer');
    const responses = await Promise.all(Array.from({ length: 100 }, (_, at) => begin(at % 2 ? one : other, token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(100 - LIMIT);
    expect(await countSessions('racer')).toBe(LIMIT);
  });

  verifies(['session:limit'], 'end in the order of their last use, except those in use', async () => {
    const token = await newUser('idler');
    const ids = await Promise.all(Array.from({ length: LIMIT }, () => initialize(`${one.url}/mcp`, token)));
    const [oldest, old, streaming] = ids as [string, string, string];
    const gone = new AbortController();
    const stream = await openStream(one, token, streaming, gone.signal);
    expect(stream.status).toBe(200);
    await idle([streaming], 20);
    await eventually(async () => {
      const { rows } = await database.query(
        `SELECT FROM mcp_sessions WHERE id = $1 AND used_at > now() - interval '1 minute'`,
        [streaming],
      );
      return rows.length === 1 ? true : undefined;
    }, 'the session with the stream is in use');
    await idle([oldest], 10);
    await idle([old], 5);
    expect((await begin(other, token)).status).toBe(200);
    const states = () =>
      Promise.all(
        [oldest, old, streaming].map(async (id) => (await inSession(`${other.url}/mcp`, token, id, 'ping')).status),
      );
    expect(await states()).toEqual([404, 200, 200]);
    expect((await begin(other, token)).status).toBe(429);
    gone.abort();
  });

  verifies(['session:delete'], 'lose their streams when they end on another replica', async () => {
    expect(await endedStream).not.toContain('list_changed');
  });
});

describe('the limit of open streams per user', () => {
  verifies(['stream:limit'], 'allows 64 streams over all endpoints, and does not count closed ones', async () => {
    const token = await newUser('listener');
    const gone = new AbortController();
    const listen = (at: number) =>
      fetch(`${one.url}/mcp/endpoint-${at}`, {
        method: 'POST',
        signal: gone.signal,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'subscriptions/listen',
          params: {
            notifications: { toolsListChanged: true },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
    const streams = await Promise.all(Array.from({ length: LIMIT }, (_, at) => listen(at % 8)));
    expect(streams.map(({ status }) => status)).toEqual(Array(LIMIT).fill(200));
    const refused = await listen(9);
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('64 open streams')]);
    gone.abort();
    const again = new AbortController();
    await eventually(async () => {
      const session = await initialize(`${one.url}/mcp`, token);
      return (await openStream(one, token, session, again.signal)).status === 200 ? true : undefined;
    }, 'a stream opens again');
    again.abort();
  });

  it('ignores clients that disconnect before their stream opens', async () => {
    const token = await newUser('hasty');
    const session = await initialize(`${one.url}/mcp`, token);
    world.manager.entitlementsMs = 1_500;
    // The gateway looks up a changed user with the next request.
    world.manager.users.find(({ subject }) => subject === 'hasty')!.groups.push('another');
    await world.applyChanges();
    const leaving = AbortSignal.timeout(500);
    const left = await Promise.allSettled(
      Array.from({ length: LIMIT }, () => openStream(one, token, session, leaving)),
    );
    world.manager.entitlementsMs = 0;
    expect(left.map(({ status }) => status)).toEqual(Array(LIMIT).fill('rejected'));
    // The lookups of the gone clients end.
    await sleep(1_500);
    const gone = new AbortController();
    await eventually(
      async () => (await openStream(one, token, session, gone.signal)).status === 200 || undefined,
      'another stream opens',
    );
    gone.abort();
  });
});

describe('a request id that is in use', () => {
  const call = (token: string, session: string, id: number | string, text: string) =>
    post(
      `${one.url}/mcp`,
      {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: `tools__${upstream.tools.slow}`, arguments: { text } },
      },
      { authorization: `Bearer ${token}`, 'mcp-session-id': session },
    );
  const arrived = (text: string) =>
    eventually(
      () => upstream.calls('tools/call').find((one) => JSON.stringify(one.arguments).includes(text)),
      `${text} reaches the upstream`,
    );

  verifies(['session:request-ids'], 'is refused at once, and the running request is answered', async () => {
    const token = await newUser('repeater');
    const session = await initialize(`${one.url}/mcp`, token);
    const first = call(token, session, 7, 'first of seven');
    await arrived('first of seven');
    const second = await call(token, session, 7, 'second of seven');
    expect([second.status, second.json.error?.code]).toEqual([400, -32600]);
    expect(second.json.error?.message).toContain('another id');
    expect((await first).text).toContain('first of seven');
    expect(upstream.calls('tools/call').some((one) => JSON.stringify(one.arguments).includes('second of'))).toBe(false);
    expect((await call(token, session, 7, 'third of seven')).text).toContain('third of seven');
  });

  verifies(['session:request-ids'], 'differs from the same id as a string and in another session', async () => {
    const token = await newUser('typist');
    const [session, another] = [await initialize(`${one.url}/mcp`, token), await initialize(`${one.url}/mcp`, token)];
    const responses = await Promise.all([
      call(token, session, 1, 'one as a number'),
      call(token, session, '1', 'one as a string'),
      call(token, another, 1, 'one elsewhere'),
    ]);
    expect(responses.map(({ text }) => /one [a-z ]+/.exec(text)?.[0])).toEqual([
      'one as a number',
      'one as a string',
      'one elsewhere',
    ]);
  });

  verifies(['session:request-ids'], 'stays in use until the call has ended, also without its client', async () => {
    const token = await newUser('leaver');
    const session = await initialize(`${one.url}/mcp`, token);
    const gone = new AbortController();
    const left = fetch(`${one.url}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: `tools__${upstream.tools.slow}`, arguments: { text: 'abandoned' } },
      }),
    });
    await arrived('abandoned');
    gone.abort();
    await left.then((response) => response.text()).catch(() => undefined);
    const again = await call(token, session, 3, 'second try');
    expect([again.status, again.text.includes('abandoned')]).toEqual([400, false]);
    const response = await eventually(async () => {
      const next = await call(token, session, 3, 'third try');
      return next.status === 200 ? next : undefined;
    }, 'the id is free again');
    expect(response.text).toContain('third try');
  });

  verifies(['session:request-ids'], 'is free after its request is cancelled or refused', async () => {
    const token = await newUser('canceller');
    const session = await initialize(`${one.url}/mcp`, token);
    const cancelled = call(token, session, 5, 'cancelled');
    await arrived('cancelled');
    const note = await post(
      `${one.url}/mcp`,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } },
      { authorization: `Bearer ${token}`, 'mcp-session-id': session },
    );
    expect(note.status).toBe(202);
    expect((await cancelled).json.result).toBeUndefined();
    expect((await call(token, session, 5, 'after the cancellation')).text).toContain('after the cancellation');
    const unacceptable = await post(
      `${one.url}/mcp`,
      { jsonrpc: '2.0', id: 6, method: 'ping' },
      { authorization: `Bearer ${token}`, 'mcp-session-id': session, accept: 'text/plain' },
    );
    expect(unacceptable.status).toBe(406);
    expect((await inSession(`${one.url}/mcp`, token, session, 'ping')).status).toBe(200);
    expect((await call(token, session, 6, 'after the refusal')).text).toContain('after the refusal');
  });

  it('has no effect in the era without sessions', async () => {
    const token = await newUser('modern');
    const name = `tools__${upstream.tools.slow}`;
    const responses = await Promise.all(
      ['left', 'right'].map((text) => modern(`${one.url}/mcp`, token, 'tools/call', { name, arguments: { text } })),
    );
    expect(responses.map(({ text }) => /left|right/.exec(text)?.[0])).toEqual(['left', 'right']);
  });
});
