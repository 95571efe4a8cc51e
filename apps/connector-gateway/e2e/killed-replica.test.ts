import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AskingUpstream, startAskingUpstream } from './support/asking-upstream.ts';
import { OpenStream } from './support/open-stream.ts';
import { initialize, modern } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let upstream: AskingUpstream;
let survivor: Gateway;
let token: string;

beforeAll(async () => {
  world = await World.start();
  upstream = await startAskingUpstream();
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  const connector = world.manager.addConnector({ slug: 'a', endpoint: upstream.server.url }, ['all']);
  world.manager.toggle(alice, connector, true);
  token = await world.token('alice');
  survivor = await world.gateway(await world.replicaSettings());
}, 60_000);

beforeEach(() => {
  upstream.calls.length = 0;
});

afterAll(async () => {
  await world.close();
  await upstream.server.close();
});

interface CallRow {
  call_id: string;
  outcome: string;
  state: string;
}

const startReplica = async () => world.startApart(await world.replicaSettings());

/** The records of the test, after the open ones were completed. */
const readRecords = () =>
  eventually(async () => {
    const rows = await world.sql<CallRow>(`SELECT call_id, outcome, state FROM tool_calls ORDER BY call_id`);
    return rows.length > 0 && rows.every(({ state }) => state !== 'open') ? rows : undefined;
  }, 'the records are complete');

const forgetRecords = () => world.sql('DELETE FROM tool_calls');

describe('a replica that is killed during a call', () => {
  verifies(['replicas:kill'], 'leaves the stream of the call to another one, which ends it with an error', async () => {
    await forgetRecords();
    const killed = await startReplica();
    const session = await initialize(`${survivor.url}/mcp`, token);
    const client = OpenStream.post(`${killed.url}/mcp`, token, session, {
      id: 7,
      method: 'tools/call',
      params: { name: 'a__only' },
    });
    const call = await eventually(() => upstream.calls[0], 'the call is running');
    for (const text of ['one', 'two', 'three']) call.log(text);
    await eventually(() => client.messages.length === 3 || undefined, 'the messages arrive');
    await killed.process.killHard();
    await client.ended;
    const [, first] = client.ids;
    const resumed = OpenStream.get(`${survivor.url}/mcp`, token, session, first);
    await resumed.ended;
    expect(resumed.messages).toMatchObject([
      { params: { data: 'two' } },
      { params: { data: 'three' } },
      { id: 7, error: { code: -32603 } },
    ]);
    expect(resumed.messages.at(-1)?.error?.message).toContain('the call may have run');
    expect(await readRecords()).toMatchObject([{ outcome: 'error' }]);
    const again = OpenStream.get(`${survivor.url}/mcp`, token, session, resumed.ids.at(-2));
    await again.ended;
    expect(again.ids).toEqual(resumed.ids.slice(-1));
    expect(upstream.calls).toHaveLength(1);
    expect(await readRecords()).toHaveLength(1);
  });

  it('leaves the record of the call to another one, also if no client resumes its stream', async () => {
    await forgetRecords();
    const killed = await startReplica();
    const answer = modern(`${killed.url}/mcp`, token, 'tools/call', {
      name: 'a__only',
      _meta: { 'io.modelcontextprotocol/logLevel': 'info' },
    }).catch(() => undefined);
    const call = await eventually(() => upstream.calls[0], 'the call is running');
    call.log('one');
    await eventually(
      async () => (await world.sql(`SELECT FROM mcp_streams WHERE expires_at IS NULL`)).length > 0 || undefined,
      'the owner is recorded',
    );
    await killed.process.killHard();
    await answer;
    expect(await readRecords()).toMatchObject([{ outcome: 'error' }]);
    expect(upstream.calls).toHaveLength(1);
  });
});

describe('a replica that is killed while it serves the stream of a GET', () => {
  it('leaves the stream to another one, with the missed events', async () => {
    const alice = world.manager.addUser({ subject: 'carol', groups: ['all'] });
    const connector = world.manager.addConnector({ slug: 'b', endpoint: upstream.server.url }, ['all']);
    const carol = await world.token('carol');
    const killed = await startReplica();
    const session = await initialize(`${survivor.url}/mcp`, carol);
    const client = OpenStream.get(`${killed.url}/mcp`, carol, session);
    await eventually(() => client.status, 'the stream is open');
    world.manager.toggle(alice, connector, true);
    await eventually(() => client.messages.length > 0 || undefined, 'the lists have changed');
    await killed.process.killHard();
    await client.ended;
    const [stream] = client.ids[0]!.split('.');
    const resumed = OpenStream.get(`${survivor.url}/mcp`, carol, session, `${stream}.0`);
    await eventually(() => resumed.ids.length >= client.ids.length || undefined, 'the missed events');
    expect(resumed.ids).toEqual(client.ids);
    world.manager.toggle(alice, connector, false);
    await eventually(() => resumed.ids.length > client.ids.length || undefined, 'the lists change again');
    resumed.cut();
  });
});

describe('an outage of the database', () => {
  it('ends no stream of a replica that lives', async () => {
    const other = await world.gateway(await world.replicaSettings());
    const session = await initialize(`${survivor.url}/mcp`, token);
    const client = OpenStream.post(`${other.url}/mcp`, token, session, {
      id: 7,
      method: 'tools/call',
      params: { name: 'a__only' },
    });
    const call = await eventually(() => upstream.calls[0], 'the call is running');
    call.log('one');
    await eventually(() => client.messages.length === 1 || undefined, 'the stream is open');
    // No replica can give a sign of life while another transaction holds the table.
    await world.sql(`BEGIN; LOCK TABLE mcp_replicas IN EXCLUSIVE MODE; SELECT pg_sleep(7); COMMIT`);
    await eventually(
      async () =>
        (await world.sql(`SELECT FROM mcp_replicas WHERE heartbeat_at > clock_timestamp() - interval '3 seconds'`))
          .length >= 2 || undefined,
      'the replicas give signs of life again',
    );
    expect(await world.sql('SELECT FROM mcp_streams WHERE expires_at IS NULL AND call_id IS NOT NULL')).toHaveLength(1);
    call.finish('done');
    await client.ended;
    expect(client.messages.at(-1)).toMatchObject({ id: 7, result: {} });
  });
});

describe('a replica that lives on after others counted it as dead', () => {
  it('makes no second record', async () => {
    await forgetRecords();
    const slow = await world.gateway(await world.replicaSettings());
    const session = await initialize(`${survivor.url}/mcp`, token);
    const client = OpenStream.post(`${slow.url}/mcp`, token, session, {
      id: 7,
      method: 'tools/call',
      params: { name: 'a__only' },
    });
    const call = await eventually(() => upstream.calls[0], 'the call is running');
    call.log('one');
    await eventually(() => client.messages.length === 1 || undefined, 'the stream is open');
    // The row of a replica that gives no sign of life looks the same.
    await world.sql(
      'UPDATE mcp_streams SET replica_id = gen_random_uuid() WHERE expires_at IS NULL AND call_id IS NOT NULL',
    );
    expect(await readRecords()).toMatchObject([{ outcome: 'error' }]);
    call.finish('late');
    await client.ended;
    expect(client.messages.at(-1)).toMatchObject({ id: 7, result: {} });
    expect(await readRecords()).toMatchObject([{ outcome: 'error' }]);
    const events = await world.sql<{ frame: string }>(`SELECT frame FROM mcp_stream_events
       WHERE stream_id = (SELECT id FROM mcp_streams WHERE call_id IS NOT NULL ORDER BY id DESC LIMIT 1) ORDER BY number DESC`);
    expect(events[0]?.frame).toContain('may have run');
  });
});
