import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ConformanceServer, startConformanceServer } from '@gatehouse/testing/conformance-server';
import { initialize, inSession, modern } from './support/raw.ts';
import { reply, scripted, type ScriptedServer, stream } from './support/scripted.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let old: ScriptedServer;
let current: ConformanceServer;
let gateways: [Gateway, Gateway];
let token: string;
/** The messages that the old upstream received: levels by session, and calls. */
let received: string[] = [];
let sessions = 0;
/** The session that the old upstream knows. */
let known = '';

const LEVELS = ['debug', 'info', 'error'];

/** A server with sessions. A call reports at every level. */
const startOldServer = () =>
  scripted({
    initialize: ({ id }, response) => {
      known = `s${(sessions += 1)}`;
      response.setHeader('mcp-session-id', known);
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'old', version: '1' },
      };
      reply(response, { id, result });
    },
    'logging/setLevel': ({ params }, _, { headers }) => {
      received.push(`${String(headers['mcp-session-id'])} ${String(params?.['level'])}`);
      return {};
    },
    'tools/call': ({ id }, response, { headers }) => {
      if (known === 'none') {
        response.writeHead(404).end();
        return;
      }
      received.push(`${String(headers['mcp-session-id'])} call`);
      const send = stream(response);
      for (const level of LEVELS) send({ method: 'notifications/message', params: { level, data: level } });
      send({ id, result: { content: [] } });
      response.end();
    },
  });

beforeAll(async () => {
  world = await World.start();
  old = await startOldServer();
  current = await startConformanceServer();
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  for (const [slug, { url }] of Object.entries({ old, current }))
    world.manager.toggle(alice, world.manager.addConnector({ slug, endpoint: url }, ['all']), true);
  gateways = [await world.gateway(), await world.gateway()];
  token = await world.token('alice');
}, 60_000);

beforeEach(() => {
  received = [];
});

afterAll(async () => {
  await world.close();
  await Promise.all([old.close(), current.close()]);
});

const urlAt = (at: 0 | 1) => `${gateways[at].url}/mcp`;
const setLevel = (session: string, level: string, at: 0 | 1 = 0) =>
  inSession(urlAt(at), token, session, 'logging/setLevel', { level });
const listLevels = (text: string) => [...text.matchAll(/"level":"(\w+)"/g)].map(([, level]) => level);
const callIn = async (session: string, at: 0 | 1 = 0) =>
  listLevels((await inSession(urlAt(at), token, session, 'tools/call', { name: 'old__only' })).text);

describe('logging/setLevel of a session', () => {
  it('reaches an upstream with sessions before the next call, once', async () => {
    const session = await initialize(urlAt(0), token);
    expect((await setLevel(session, 'info')).json.result).toEqual({});
    expect(received).toEqual([]);
    expect(await callIn(session)).toEqual(['info', 'error']);
    expect(await callIn(session)).toEqual(['info', 'error']);
    await setLevel(session, 'error');
    expect(await callIn(session)).toEqual(['error']);
    const upstream = received[0]!.split(' ')[0]!;
    expect(received).toEqual(['info', 'call', 'call', 'error', 'call'].map((what) => `${upstream} ${what}`));
  });

  it('reaches the new session of an upstream that lost the old one', async () => {
    const session = await initialize(urlAt(0), token);
    await setLevel(session, 'info');
    await callIn(session);
    const before = known;
    known = 'none';
    expect(await callIn(session)).toEqual(['info', 'error']);
    expect(known).not.toBe(before);
    expect(received.slice(-2)).toEqual([`${known} info`, `${known} call`]);
  });

  it('is kept apart from the level of another session', async () => {
    const [one, other] = [await initialize(urlAt(0), token), await initialize(urlAt(0), token)];
    await Promise.all([setLevel(one, 'error'), setLevel(other, 'debug')]);
    expect(await Promise.all([callIn(one), callIn(other)])).toEqual([['error'], LEVELS]);
  });

  it('holds on another replica and after a restart', async () => {
    const session = await initialize(urlAt(0), token);
    expect(await callIn(session, 1)).toEqual(LEVELS);
    await setLevel(session, 'error');
    await eventually(
      async () => ((await callIn(session, 1)).length === 1 ? true : undefined),
      'the other replica learns of the level',
    );
    const third = await world.gateway();
    const { text } = await inSession(`${third.url}/mcp`, token, session, 'tools/call', { name: 'old__only' });
    expect(listLevels(text)).toEqual(['error']);
  });

  it('reaches an upstream without sessions with each request', async () => {
    const session = await initialize(urlAt(0), token);
    const call = async () =>
      listLevels(
        (await inSession(urlAt(0), token, session, 'tools/call', { name: 'current__test_tool_with_logging' })).text,
      );
    expect(await call()).toEqual([]);
    await setLevel(session, 'info');
    expect(await call()).toEqual(['info', 'info', 'info']);
  });

  it.each(['loud', 7, undefined])('refuses the level %s', async (level) => {
    const session = await initialize(urlAt(0), token);
    const { json } = await inSession(urlAt(0), token, session, 'logging/setLevel', { level });
    expect(json.error?.code).toBe(-32602);
  });
});

describe('the log level of a request without a session', () => {
  const call = async (level: string) => {
    const _meta = { 'io.modelcontextprotocol/logLevel': level };
    return listLevels((await modern(urlAt(0), token, 'tools/call', { name: 'old__only', _meta })).text);
  };

  it('makes an upstream with sessions more verbose, never less', async () => {
    expect(await call('info')).toEqual(['info', 'error']);
    expect(await call('error')).toEqual(['error']);
    expect(await call('debug')).toEqual(LEVELS);
    expect(received.map((each) => each.split(' ')[1])).toEqual(['info', 'call', 'call', 'debug', 'call']);
  });
});
