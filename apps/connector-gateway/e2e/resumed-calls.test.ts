import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenStream } from './support/open-stream.ts';
import { initialize, post } from './support/raw.ts';
import { type ResumableCall, type ResumableUpstream, startResumableUpstream } from './support/resumable-upstream.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let upstream: ResumableUpstream;
let survivor: Gateway;
let token: string;

beforeAll(async () => {
  world = await World.start();
  upstream = await startResumableUpstream();
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  const connector = world.manager.addConnector({ slug: 'a', endpoint: upstream.url }, ['all']);
  world.manager.toggle(alice, connector, true);
  token = await world.token('alice');
  survivor = await world.gateway(await world.replicaSettings());
}, 60_000);

beforeEach(() => {
  upstream.calls.length = 0;
  upstream.refuseResumptions(undefined);
  world.manager.records.clear();
});

afterAll(async () => {
  await world.close();
  await upstream.close();
});

/** A call whose replica was killed in the middle of it. */
interface KilledCall {
  session: string;
  client: OpenStream;
  call: ResumableCall;
}

/** Starts a call at a replica, and kills the replica after some messages. */
async function startKilledCall(
  before: (call: ResumableCall, client: OpenStream) => Promise<void>,
): Promise<KilledCall> {
  const killed = await world.startApart(await world.replicaSettings());
  const session = await initialize(`${survivor.url}/mcp`, token, { elicitation: {} });
  const client = OpenStream.post(`${killed.url}/mcp`, token, session, {
    id: 7,
    method: 'tools/call',
    params: { name: 'a__only', _meta: { progressToken: 'mine' } },
  });
  const call = await eventually(() => upstream.calls[0], 'the call is running');
  await before(call, client);
  await killed.process.killHard();
  await client.ended;
  return { session, client, call };
}

const resume = (session: string, id: string | undefined) => OpenStream.get(`${survivor.url}/mcp`, token, session, id);
const answer = (session: string, id: unknown, name: string) =>
  post(
    `${survivor.url}/mcp`,
    { jsonrpc: '2.0', id, result: { action: 'accept', content: { name } } },
    { authorization: `Bearer ${token}`, 'mcp-session-id': session },
  );
/** The records as the enterprise manager received them: the gateway deletes those of successes. */
const readRecords = async () => {
  await eventually(() => world.manager.records.size > 0, 'a record is delivered');
  return [...world.manager.records.values()];
};
const isResumed = (before: number) =>
  eventually(() => upstream.resumptions > before || undefined, 'the survivor reads on at the upstream');

describe('a call at an upstream with event ids, whose replica was killed', () => {
  verifies(['replicas:resume'], 'goes on at the survivor with each message once, and its result', async () => {
    const before = upstream.resumptions;
    const { session, client, call } = await startKilledCall(async (running, stream) => {
      for (const text of ['one', 'two', 'three']) await running.log(text);
      await eventually(() => stream.messages.length === 3 || undefined, 'the messages arrive');
    });
    // Messages while no replica reads are kept by the upstream.
    await call.log('four');
    const resumed = resume(session, client.ids[1]);
    await isResumed(before);
    await call.progress(5);
    call.finish('six');
    await resumed.ended;
    expect(resumed.messages).toMatchObject([
      { params: { data: 'two' } },
      { params: { data: 'three' } },
      { params: { data: 'four' } },
      { method: 'notifications/progress', params: { progressToken: 'mine', progress: 5 } },
      { id: 7, result: { content: [{ text: 'six' }] } },
    ]);
    expect(upstream.calls).toHaveLength(1);
    expect(await readRecords()).toMatchObject([{ outcome: 'ok', billable: true }]);
    const again = resume(session, resumed.ids.at(-2));
    await again.ended;
    expect(again.ids).toEqual(resumed.ids.slice(-1));
  });

  it('takes the answer to a question of the killed replica, and asks again where the upstream does', async () => {
    const answers: Promise<Record<string, unknown>>[] = [];
    const { session, client, call } = await startKilledCall(async (running, stream) => {
      answers.push(running.ask('first'));
      await eventually(() => stream.messages.length === 1 || undefined, 'the question arrives');
    });
    const [question] = client.messages;
    // The client answers before any replica has found that the other died.
    expect((await answer(session, question?.id, 'early')).status).toBe(202);
    expect(await answers[0]).toMatchObject({ action: 'accept', content: { name: 'early' } });
    const resumed = resume(session, client.ids.at(-1));
    const second = call.ask('second');
    await eventually(() => resumed.messages.length === 1 || undefined, 'the second question arrives');
    await answer(session, resumed.messages[0]?.id, 'late');
    expect(await second).toMatchObject({ content: { name: 'late' } });
    call.finish('done');
    await resumed.ended;
    expect(resumed.messages.at(-1)).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
    expect(await readRecords()).toMatchObject([{ outcome: 'ok' }]);
  });

  it('goes on without a client, and its result is kept for the client', async () => {
    const before = upstream.resumptions;
    const { session, client, call } = await startKilledCall(async (running, stream) => {
      await running.log('one');
      await eventually(() => stream.messages.length === 1 || undefined, 'the message arrives');
    });
    await isResumed(before);
    call.finish('done');
    expect(await readRecords()).toMatchObject([{ outcome: 'ok', billable: true }]);
    const resumed = resume(session, client.ids.at(-1));
    await resumed.ended;
    expect(resumed.messages).toMatchObject([{ id: 7, result: { content: [{ text: 'done' }] } }]);
  });

  it('is cancelled at the upstream when the client cancels it', async () => {
    const before = upstream.resumptions;
    const { session, client, call } = await startKilledCall(async (running, stream) => {
      await running.log('one');
      await eventually(() => stream.messages.length === 1 || undefined, 'the message arrives');
    });
    const resumed = resume(session, client.ids.at(-1));
    await isResumed(before);
    await post(
      `${survivor.url}/mcp`,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
      { authorization: `Bearer ${token}`, 'mcp-session-id': session },
    );
    await resumed.ended;
    await eventually(() => call.isCancelled || undefined, 'the upstream hears of it');
    expect(await readRecords()).toMatchObject([{ outcome: 'error' }]);
  });

  it('ends with an error if the upstream does not resume it', async () => {
    upstream.refuseResumptions(404);
    const { session, client } = await startKilledCall(async (running, stream) => {
      await running.log('one');
      await eventually(() => stream.messages.length === 1 || undefined, 'the message arrives');
    });
    const resumed = resume(session, client.ids.at(-1));
    await resumed.ended;
    expect(resumed.messages).toMatchObject([{ id: 7, error: { code: -32603 } }]);
    expect(resumed.messages[0]?.error?.message).toContain('the call may have run');
    expect(upstream.calls).toHaveLength(1);
    expect(await readRecords()).toMatchObject([{ outcome: 'error' }]);
  });
});
