import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SignatureHeader, type SignedRequest, signRequest } from '../src/replicas/replica-signature.ts';
import { type AskingUpstream, startAskingUpstream } from './support/asking-upstream.ts';
import { OpenStream } from './support/open-stream.ts';
import { modern, post, type RawAnswer } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let upstream: AskingUpstream;
let gateways: Gateway[];
let replicaUrls: string[];
let tokens: Record<'alice' | 'bob' | 'carol', string>;

beforeAll(async () => {
  world = await World.start();
  upstream = await startAskingUpstream();
  const connector = world.manager.addConnector({ slug: 'a', endpoint: upstream.server.url }, ['all']);
  for (const subject of ['alice', 'bob', 'carol'])
    world.manager.toggle(world.manager.addUser({ subject, groups: ['all'] }), connector, true);
  tokens = { alice: await world.token('alice'), bob: await world.token('bob'), carol: await world.token('carol') };
  gateways = [];
  replicaUrls = [];
  for (let at = 0; at < 2; at += 1) {
    const settings = await world.replicaSettings();
    gateways.push(await world.gateway(settings));
    replicaUrls.push(settings['REPLICA_URL']!);
  }
}, 60_000);

beforeEach(() => {
  for (const list of [upstream.calls, upstream.answers, upstream.cancelled]) list.length = 0;
});

afterAll(async () => {
  await world.close();
  await upstream.server.close();
});

const urlAt = (at: number) => `${gateways[at]!.url}/mcp`;
const CALL = { id: 7, method: 'tools/call', params: { name: 'a__only' } };
const SEARCH = '?mode=search';
const SEARCHED = { name: 'call_tool', arguments: { name: 'a__only' } };

/** Begins a session whose client answers questions. @param query of the address */
async function initialize(query = '', token = tokens.alice): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'raw', version: '1' },
  };
  const { headers } = await post(
    `${urlAt(0)}${query}`,
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { authorization: `Bearer ${token}` },
  );
  return headers.get('mcp-session-id')!;
}

/** Starts a call at the first replica, whose stream is open. */
async function startCall(session: string, token = tokens.alice) {
  const client = OpenStream.post(urlAt(0), token, session, CALL);
  const call = await eventually(() => upstream.calls[0], 'the call is running');
  call.log('one');
  await eventually(() => client.messages.length === 1 || undefined, 'the stream is open');
  return { client, call };
}

const postToOther = (session: string, message: object, token = tokens.alice) =>
  post(urlAt(1), { jsonrpc: '2.0', ...message }, { authorization: `Bearer ${token}`, 'mcp-session-id': session });

/** The last message of a stream that has ended. */
async function readLast(stream: OpenStream) {
  await stream.ended;
  return stream.messages.at(-1);
}

describe('a call of a session at another replica', () => {
  it.each([10, 200_000])('gets the answer to its question, of %d characters', async (length) => {
    const session = await initialize();
    const { client, call } = await startCall(session);
    call.ask('q');
    const { id } = await eventually(() => client.messages.find(({ method }) => method === 'elicitation/create'), 'ask');
    const result = { action: 'accept', content: { name: 'x'.repeat(length) } };
    // The answer of another user concerns another session.
    expect((await postToOther(session, { id, result }, tokens.bob)).status).toBe(404);
    expect((await postToOther(session, { id, result })).status).toBe(202);
    await eventually(() => upstream.answers.length > 0 || undefined, 'the answer arrives');
    expect(upstream.answers).toMatchObject([{ id: 'q', result }]);
    call.finish('done');
    expect(await readLast(client)).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
  });

  verifies(['replicas:messages'], 'is cancelled', async () => {
    const session = await initialize();
    const { client } = await startCall(session);
    const reason = 'x'.repeat(100_000);
    await postToOther(session, { method: 'notifications/cancelled', params: { requestId: 7, reason } });
    expect(await readLast(client)).toMatchObject({ id: 7, error: { message: 'the request was cancelled' } });
    await eventually(() => upstream.cancelled.length === 1 || undefined, 'the upstream knows');
    const [stored] = await world.sql<{ message: object }>(
      `SELECT message FROM mcp_session_messages WHERE session_id = '${session}' AND message->>'method' LIKE '%cancelled'`,
    );
    expect(stored?.message).toMatchObject({ params: { requestId: 7 } });
    expect(JSON.stringify(stored)).not.toContain(reason);
  });

  verifies(['replicas:messages-limit'], 'keeps a limited number and size of answers of one user', async () => {
    const token = tokens.carol;
    const session = await initialize('', token);
    const { client, call } = await startCall(session, token);
    upstream.calls.length = 0;
    const answer = async (text: string) =>
      postToOther(session, { id: randomUUID(), result: { action: 'accept', content: { text } } }, token);
    const large = 'x'.repeat(4_100_000);
    for (let at = 0; at < 4; at += 1) expect((await answer(large)).status).toBe(202);
    const refused = await answer(large);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(refused.json).toMatchObject({ error: { code: 429, data: { retryAfterSeconds: 30 } } });
    const statuses = await Promise.all(Array.from({ length: 252 }, async () => (await answer('small')).status));
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect((await answer('small')).status).toBe(429);
    call.finish('done');
    await client.ended;
    const other = await initialize();
    const { client: others, call: running } = await startCall(other);
    expect((await postToOther(other, { id: 'unknown', result: {} })).status).toBe(202);
    running.finish('done');
    await others.ended;
  });

  it('ends with an error when its session ends', async () => {
    const session = await initialize();
    const { client } = await startCall(session);
    const headers = { authorization: `Bearer ${tokens.alice}`, 'mcp-session-id': session };
    expect((await fetch(urlAt(1), { method: 'DELETE', headers })).status).toBe(200);
    expect(await readLast(client)).toMatchObject({ id: 7, error: { message: 'the session has ended' } });
    await eventually(() => upstream.cancelled.length === 1 || undefined, 'the upstream knows');
  });

  verifies(['replicas:resumption'], 'continues on a resumed stream, with each event once', async () => {
    const session = await initialize();
    const { client, call } = await startCall(session);
    call.log('two');
    await eventually(() => client.messages.length === 2 || undefined, 'the second message');
    client.cut();
    call.log('three');
    const resumed = OpenStream.get(urlAt(1), tokens.alice, session, client.ids.at(-2));
    await eventually(() => resumed.messages.length === 2 || undefined, 'the missed messages');
    call.log('four');
    call.finish('done');
    await resumed.ended;
    expect(resumed.messages.map(({ params, id }) => params?.['data'] ?? id)).toEqual(['two', 'three', 'four', 7]);
    const again = OpenStream.get(urlAt(1), tokens.alice, session, resumed.ids.at(-2));
    expect(await readLast(again)).toMatchObject({ id: 7, result: {} });
    const stranger = OpenStream.get(urlAt(1), tokens.bob, session, client.ids[0]);
    await stranger.ended;
    expect(stranger.status).toBe(404);
  });

  it('continues on a resumed stream in search mode', async () => {
    const session = await initialize(SEARCH);
    const message = { ...CALL, params: SEARCHED };
    const client = OpenStream.post(`${urlAt(0)}${SEARCH}`, tokens.alice, session, message);
    const call = await eventually(() => upstream.calls[0], 'the call is running');
    call.log('one');
    await eventually(() => client.messages.length === 1 || undefined, 'the stream is open');
    client.cut();
    const resumed = OpenStream.get(`${urlAt(1)}${SEARCH}`, tokens.alice, session, client.ids.at(-1));
    expect(await eventually(() => resumed.status, 'the resumption is answered')).toBe(200);
    call.finish('done');
    expect(await readLast(resumed)).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
  });

  it('leaves no stream behind', async () => {
    await eventually(
      async () => (await world.sql(`SELECT FROM mcp_streams WHERE expires_at IS NULL`)).length === 0 || undefined,
      'all streams have ended',
    );
  });
});

describe('the stream of a GET', () => {
  it('moves to the replica of the latest GET', async () => {
    const session = await initialize();
    const first = OpenStream.get(urlAt(0), tokens.alice, session);
    await eventually(() => first.status, 'the first stream is open');
    const second = OpenStream.get(urlAt(1), tokens.alice, session);
    await first.ended;
    expect(await eventually(() => second.status, 'the second stream is open')).toBe(200);
    second.cut();
  });
});

describe('a waiting call of a client without a session', () => {
  const FORMS = { elicitation: { form: {} } };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': FORMS };
  const call = (at: number, params: object = {}, user: 'alice' | 'bob' = 'alice') =>
    modern(urlAt(at), tokens[user], 'tools/call', { name: 'a__only', ...params, _meta });
  const answer = ({ json }: RawAnswer) => {
    const [key] = Object.keys(json.result?.['inputRequests'] as object);
    const inputResponses = { [key!]: { action: 'accept', content: { name: 'Ada' } } };
    return { inputResponses, requestState: json.result?.['requestState'] };
  };

  it('is continued at another replica, once and by its own user', async () => {
    const started = call(0);
    const running = await eventually(() => upstream.calls[0], 'the call is running');
    running.ask('q');
    const first = await started;
    expect(first.json.result).toMatchObject({ resultType: 'input_required' });
    expect((await call(1, answer(first), 'bob')).json.error?.code).toBe(-32602);
    const last = call(1, answer(first));
    await eventually(() => upstream.answers.length === 1 || undefined, 'the answer arrives');
    running.finish('done');
    expect((await last).json.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
    expect((await call(1, answer(first))).json.error?.code).toBe(-32602);
    expect(upstream.calls).toHaveLength(1);
  });

  it('is continued at another replica in search mode', async () => {
    const search = (at: number, params: object = {}) =>
      modern(`${urlAt(at)}${SEARCH}`, tokens.alice, 'tools/call', { ...SEARCHED, ...params, _meta });
    const started = search(0);
    const running = await eventually(() => upstream.calls[0], 'the call is running');
    running.ask('q');
    const last = search(1, answer(await started));
    await eventually(() => upstream.answers.length === 1 || undefined, 'the answer arrives');
    running.finish('done');
    expect((await last).json.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });

  it.each(['no replica', 'a NUL \0', 7, {}])('is unknown to a state that names as replica %j', async (kid) => {
    const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid })).toString('base64url');
    const forged = await call(0, { requestState: `${header}..AAAA.AAAA.AAAA` });
    expect([forged.status, forged.json.error?.code]).toEqual([200, -32602]);
  });
});

describe('a replica with another key', () => {
  it('serves nothing of the others, and says so in its log', async () => {
    const lines: string[] = [];
    const settings = { ...(await world.replicaSettings()), REPLICA_KEY: 'x'.repeat(32), LOG_LEVEL: 'warn' };
    const stranger = await world.gateway(settings, { write: (line) => void lines.push(line) });
    const started = modern(urlAt(0), tokens.alice, 'tools/call', {
      name: 'a__only',
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
    });
    (await eventually(() => upstream.calls[0], 'the call is running')).ask('q');
    const { requestState } = (await started).json.result!;
    const refused = await modern(`${stranger.url}/mcp`, tokens.alice, 'tools/call', { name: 'a__only', requestState });
    expect([refused.status, refused.json.error?.code]).toEqual([503, -32603]);
    expect(lines.join('')).toContain('REPLICA_KEY');
    await stranger.close();
  });
});

describe('the listener of a replica', () => {
  const send = (signed: SignedRequest, signature = signRequest('r'.repeat(32), signed)) =>
    fetch(`${replicaUrls[0]}${signed.path}`, {
      method: 'POST',
      headers: {
        [SignatureHeader.time]: String(signed.time),
        [SignatureHeader.nonce]: signed.nonce,
        [SignatureHeader.signature]: signature,
      },
      body: Buffer.from(signed.body),
    });
  const create = (forwarded: object, more: Partial<SignedRequest> = {}): SignedRequest => ({
    method: 'POST',
    path: '/forwarded-requests',
    body: Buffer.from(JSON.stringify(forwarded)),
    time: Date.now(),
    nonce: randomUUID(),
    ...more,
  });
  const resumption = (subject: string, session: string) => ({
    method: 'GET',
    slug: null,
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': 'p1.0' },
    user: { issuer: world.issuer.issuer, subject, claims: {} },
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });

  it('refuses forged, replayed, late and long requests', async () => {
    const genuine = create(resumption('alice', await initialize()));
    expect((await send(genuine, 'f'.repeat(64))).status).toBe(401);
    expect((await send(genuine, '')).status).toBe(401);
    expect((await send(genuine)).status).toBe(404);
    expect((await send(genuine)).status).toBe(401);
    for (const off of [-61_000, 61_000])
      expect((await send({ ...genuine, nonce: randomUUID(), time: Date.now() + off })).status).toBe(401);
    expect(
      (await send(create({}, { body: Buffer.alloc(9 * 1024 * 1024) })).catch(() => ({ status: 401 }))).status,
    ).toBe(401);
  });

  it('checks the user of a session again', async () => {
    const session = await initialize();
    const { client, call } = await startCall(session);
    const forwarded = (subject: string) => ({
      ...resumption(subject, session),
      headers: { ...resumption(subject, session).headers, 'last-event-id': client.ids[0]! },
    });
    expect((await send(create(forwarded('bob')))).status).toBe(404);
    call.finish('done');
    await client.ended;
    expect(await (await send(create(forwarded('alice')))).text()).toContain('done');
  });
});
