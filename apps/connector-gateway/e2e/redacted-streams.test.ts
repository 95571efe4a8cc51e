import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UNLIMITED_SETTINGS } from '../src/mcp/ports/gateway-settings.fixture.ts';
import { type AskingUpstream, type RunningCall, startAskingUpstream } from './support/asking-upstream.ts';
import { OpenStream } from './support/open-stream.ts';
import { initialize, inSession } from './support/raw.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const SECRET = 'key-4711-4711';
const HIDDEN = '[redacted]';

let world: World;
let upstream: AskingUpstream;
let survivor: Gateway;
let token: string;

beforeAll(async () => {
  world = await World.start();
  const content = {
    ...UNLIMITED_SETTINGS.content,
    redaction_patterns: ['key-\\d{4}-\\d{4}'],
    elicitation_hosts: ['login.example.com'],
  };
  world.manager.settings = { ...UNLIMITED_SETTINGS, content, connectors: {} };
  upstream = await startAskingUpstream();
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  const connector = world.manager.addConnector({ slug: 'a', endpoint: upstream.server.url }, ['all']);
  world.manager.toggle(alice, connector, true);
  token = await world.token('alice');
  survivor = await world.gateway(await world.replicaSettings());
}, 60_000);

beforeEach(() => {
  upstream.calls.length = 0;
  upstream.answers.length = 0;
});

afterAll(async () => {
  await world.close();
  await upstream.server.close();
});

/** Begins a call of a session, and waits until it is at the upstream. */
async function beginCall(url: string, session: string): Promise<{ client: OpenStream; call: RunningCall }> {
  const params = { name: 'a__only', arguments: { text: SECRET } };
  const client = OpenStream.post(`${url}/mcp`, token, session, { id: 7, method: 'tools/call', params });
  return { client, call: await eventually(() => upstream.calls[0], 'the call is running') };
}

const readEvents = () => world.sql<{ frame: string }>('SELECT frame FROM mcp_stream_events ORDER BY stream_id, number');

describe('redaction of a stream', () => {
  it('comes before events are stored, so that another replica sends the same', async () => {
    const killed = await world.startApart(await world.replicaSettings());
    const session = await initialize(`${survivor.url}/mcp`, token);
    const { client, call } = await beginCall(killed.url, session);
    // The second is long, so that it is redacted in another thread than those around it.
    const long = 'a'.repeat(200_000);
    for (const text of [`one ${SECRET}`, `two ${SECRET} ${long}`, 'three']) call.log(text);
    await eventually(() => client.messages.length === 3 || undefined, 'the messages arrive');
    await killed.process.killHard();
    await client.ended;
    const resumed = OpenStream.get(`${survivor.url}/mcp`, token, session, client.ids[0]);
    await resumed.ended;
    const expected = [
      { params: { data: `one ${HIDDEN}` } },
      { params: { data: `two ${HIDDEN} ${long}` } },
      { params: { data: 'three' } },
    ];
    expect(client.messages).toMatchObject(expected);
    expect(resumed.messages).toMatchObject([...expected, { id: 7, error: { code: -32603 } }]);
    const stored = (await readEvents()).map(({ frame }) => frame).join('');
    expect(stored).toContain(`one ${HIDDEN}`);
    expect(stored).not.toContain(SECRET);
    expect(JSON.stringify(await world.sql('SELECT * FROM tool_calls'))).not.toContain(SECRET);
  }, 30_000);

  it('covers questions of the connector and the answers of the client, in the order of arrival', async () => {
    const session = await initialize(`${survivor.url}/mcp`, token, { elicitation: { form: {}, url: {} } });
    const { client, call } = await beginCall(survivor.url, session);
    call.log(`before ${SECRET} ${'a'.repeat(200_000)}`);
    const requestedSchema = { type: 'object', properties: { name: { type: 'string', description: SECRET } } };
    call.send({ id: 'q', method: 'elicitation/create', params: { message: `Who ${SECRET}?`, requestedSchema } });
    call.log('after');
    await eventually(() => client.messages.length === 3 || undefined, 'the messages arrive');
    const [first, question, last] = client.messages as {
      id?: unknown;
      method: string;
      params?: { message?: string };
    }[];
    expect([first?.method, question?.method, last?.method]).toEqual([
      'notifications/message',
      'elicitation/create',
      'notifications/message',
    ]);
    expect(question?.params?.message).toBe(`Who ${HIDDEN}?`);
    expect(JSON.stringify(question)).not.toContain(SECRET);
    const answer = { id: question?.id, result: { action: 'accept', content: { name: SECRET } } };
    OpenStream.post(`${survivor.url}/mcp`, token, session, answer);
    await eventually(() => upstream.answers.length === 1 || undefined, 'the upstream has the answer');
    expect(upstream.answers[0]?.result).toEqual({ action: 'accept', content: { name: HIDDEN } });
    call.finish(`done ${SECRET}`);
    await client.ended;
    expect(client.messages.at(-1)).toMatchObject({ result: { content: [{ text: `done ${HIDDEN}` }] } });
  });

  it('answers the question of a connector for another host with an error, and the call goes on', async () => {
    const session = await initialize(`${survivor.url}/mcp`, token, { elicitation: { url: {} } });
    const answered = inSession(`${survivor.url}/mcp`, token, session, 'tools/call', { name: 'a__only' });
    const call = await eventually(() => upstream.calls[0], 'the call is running');
    const params = { mode: 'url', elicitationId: 'e', message: 'Open it', url: 'https://evil.test/' };
    call.send({ id: 'q', method: 'elicitation/create', params });
    await eventually(() => upstream.answers.length === 1 || undefined, 'the upstream has the answer');
    expect(upstream.answers[0]?.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('asked to open a page at evil.test'),
    });
    call.finish('done');
    expect((await answered).json.result).toMatchObject({ content: [{ text: 'done' }] });
  });
});
