import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ConformanceServer, startConformanceServer } from '@gatehouse/testing/conformance-server';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import type { TestConnector, TestUser } from './support/manager.ts';
import { initialize, inSession, modern } from './support/raw.ts';
import { reply, scripted, type ScriptedServer, stream } from './support/scripted.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

const NOTE = 'note://one';
const WATCHED = 'test://watched-resource';

let world: World;
let database: pg.Pool;
let old: ScriptedServer;
let current: ConformanceServer;
let gateways: [Gateway, Gateway];
let oldConnector: TestConnector;
let people: Record<'alice' | 'bob', TestUser>;
let tokens: Record<'alice' | 'bob', string>;
/** The messages that the old upstream received, and its open standalone streams. */
let received: string[] = [];
let streams: ServerResponse[] = [];
let isRestarted = false;

/** A server with sessions. No other server has its resource. */
const startOldServer = () =>
  scripted({
    initialize: ({ id }, response) => {
      isRestarted = false;
      response.setHeader('mcp-session-id', 'one');
      const capabilities = { tools: {}, resources: { subscribe: true } };
      reply(response, {
        id,
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'old', version: '1' } },
      });
    },
    'resources/list': () => ({ resources: [{ uri: NOTE, name: 'one' }] }),
    'resources/subscribe': ({ params }) => {
      received.push(`subscribe ${String(params?.['uri'])}`);
      return {};
    },
    'resources/unsubscribe': ({ params }) => {
      received.push(`unsubscribe ${String(params?.['uri'])}`);
      return {};
    },
    GET: (_, response) => {
      if (isRestarted) {
        response.writeHead(404).end();
        return;
      }
      stream(response);
      response.flushHeaders();
      streams.push(response);
    },
  });

/** Announces an update on the standalone streams of the old upstream. */
const update = (uri = NOTE) => {
  const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  for (const response of streams) response.write(`data: ${JSON.stringify(message)}\n\n`);
};

beforeAll(async () => {
  world = await World.start();
  database = new pg.Pool({ connectionString: world.database.ownerUrl, max: 1 });
  old = await startOldServer();
  current = await startConformanceServer();
  oldConnector = world.manager.addConnector({ slug: 'old', endpoint: old.url }, ['all']);
  const currentConnector = world.manager.addConnector({ slug: 'current', endpoint: current.url }, ['all']);
  people = {
    alice: world.manager.addUser({ subject: 'alice', groups: ['all'] }),
    bob: world.manager.addUser({ subject: 'bob', groups: ['all'] }),
  };
  for (const user of Object.values(people)) world.manager.toggle(user, oldConnector, true);
  world.manager.toggle(people.alice, currentConnector, true);
  tokens = { alice: await world.token('alice'), bob: await world.token('bob') };
  gateways = [await world.gateway(), await world.gateway()];
}, 60_000);

beforeEach(() => {
  received = [];
});

afterAll(async () => {
  await database.end();
  await world.close();
  await Promise.all([old.close(), current.close()]);
});

type Name = 'alice' | 'bob';
const urlAt = (at: 0 | 1) => `${gateways[at].url}/mcp`;
const subscribe = (session: string, uri: string, user: Name = 'alice', method = 'resources/subscribe') =>
  inSession(urlAt(0), tokens[user], session, method, { uri });

/** Reads an event stream. @returns its text so far, and a function that closes it */
async function read(open: (signal: AbortSignal) => Promise<Response>) {
  const stop = new AbortController();
  const response = await open(stop.signal);
  const heard = { text: '', close: () => stop.abort(), status: response.status };
  const decoder = new TextDecoder();
  const pump = async () => {
    for await (const chunk of response.body!) heard.text += decoder.decode(chunk as Uint8Array, { stream: true });
  };
  pump().catch(() => undefined);
  return heard;
}

const openStandalone = (session: string, user: Name = 'alice', at: 0 | 1 = 0) =>
  read((signal) =>
    fetch(urlAt(at), {
      signal,
      headers: { accept: 'text/event-stream', authorization: `Bearer ${tokens[user]}`, 'mcp-session-id': session },
    }),
  );

const listUpdated = ({ text }: { text: string }) =>
  [...text.matchAll(/^data: (.+)$/gm)]
    .map(([, data]) => JSON.parse(data!) as { method: string; params: { uri: string } })
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => params.uri);

const untilReceived = (what: string) =>
  eventually(() => (received.includes(what) ? true : undefined), `the upstream receives ${what}`);
const untilUpdated = (heard: { text: string }, uris: string[]) =>
  eventually(
    () => (JSON.stringify(listUpdated(heard)) === JSON.stringify(uris) ? true : undefined),
    `the client hears of ${uris.join(', ')}`,
  );

describe('resources/subscribe of a session', () => {
  it('brings updates to exactly the subscribers, with one subscription upstream', async () => {
    const [one, two, without, ofBob] = await Promise.all([
      initialize(urlAt(0), tokens.alice),
      initialize(urlAt(0), tokens.alice),
      initialize(urlAt(0), tokens.alice),
      initialize(urlAt(0), tokens.bob),
    ]);
    const heard = await Promise.all([
      openStandalone(one),
      openStandalone(two),
      openStandalone(without),
      openStandalone(ofBob, 'bob'),
    ]);
    expect((await subscribe(one, NOTE)).json.result).toEqual({});
    expect((await subscribe(two, NOTE)).json.result).toEqual({});
    await untilReceived(`subscribe ${NOTE}`);
    await eventually(() => (streams.length > 0 ? true : undefined), 'the upstream has a stream');
    update();
    await untilUpdated(heard[0], [NOTE]);
    await untilUpdated(heard[1], [NOTE]);
    await subscribe(two, NOTE, 'alice', 'resources/unsubscribe');
    update();
    await untilUpdated(heard[0], [NOTE, NOTE]);
    expect(heard.map(listUpdated)).toEqual([[NOTE, NOTE], [NOTE], [], []]);
    expect(received).toEqual([`subscribe ${NOTE}`]);
    await subscribe(one, NOTE, 'alice', 'resources/unsubscribe');
    await untilReceived(`unsubscribe ${NOTE}`);
    for (const { close } of heard) close();
  });

  it('is kept for a stream on another replica, and after a restart of the upstream', async () => {
    const session = await initialize(urlAt(0), tokens.alice);
    const heard = await openStandalone(session, 'alice', 1);
    await subscribe(session, NOTE);
    await untilReceived(`subscribe ${NOTE}`);
    received = [];
    isRestarted = true;
    for (const response of streams) response.destroy();
    streams = [];
    await untilReceived(`subscribe ${NOTE}`);
    await eventually(() => (streams.length > 0 ? true : undefined), 'the upstream has a stream');
    update();
    await untilUpdated(heard, [NOTE]);
    heard.close();
    await untilReceived(`unsubscribe ${NOTE}`);
  });

  it('brings no update after the user lost the connector', async () => {
    const session = await initialize(urlAt(0), tokens.bob);
    const heard = await openStandalone(session, 'bob');
    await subscribe(session, NOTE, 'bob');
    await untilReceived(`subscribe ${NOTE}`);
    world.manager.toggle(people.bob, oldConnector, false);
    world.manager.notifyChange();
    await untilReceived(`unsubscribe ${NOTE}`);
    update();
    expect((await subscribe(session, NOTE, 'bob')).json.error?.message).toBe('unknown resource');
    expect(listUpdated(heard)).toEqual([]);
    world.manager.toggle(people.bob, oldConnector, true);
    world.manager.notifyChange();
    received = [];
    await untilReceived(`subscribe ${NOTE}`);
    update();
    await untilUpdated(heard, [NOTE]);
    heard.close();
    await untilReceived(`unsubscribe ${NOTE}`);
  });

  it('counts updates of parts for the subscribed resource', async () => {
    const session = await initialize(urlAt(0), tokens.alice);
    const heard = await openStandalone(session);
    await subscribe(session, NOTE);
    await untilReceived(`subscribe ${NOTE}`);
    update(`${NOTE}-other`);
    update(`${NOTE}/part`);
    await untilUpdated(heard, [NOTE]);
    heard.close();
    await untilReceived(`unsubscribe ${NOTE}`);
  });

  it('brings updates of an upstream without sessions', async () => {
    const session = await initialize(urlAt(0), tokens.alice);
    const heard = await openStandalone(session);
    await subscribe(session, WATCHED);
    await eventually(async () => {
      await inSession(urlAt(0), tokens.alice, session, 'tools/call', { name: 'current__test_trigger_resource_update' });
      return listUpdated(heard).includes(WATCHED) ? true : undefined;
    }, 'the update arrives');
    heard.close();
  });

  it('refuses unknown resources, malformed URIs and more than 100 subscriptions', async () => {
    const session = await initialize(urlAt(0), tokens.alice);
    for (const uri of ['note://none', undefined, 7, `${NOTE}\0`, `note://${'x'.repeat(3_000)}`]) {
      const { json } = await inSession(urlAt(0), tokens.alice, session, 'resources/subscribe', { uri });
      expect(json.error?.code).toBe(-32602);
    }
    await database.query(
      `UPDATE mcp_sessions SET subscriptions = array(SELECT 'note://' || n FROM generate_series(1, 100) n) WHERE id = $1`,
      [session],
    );
    const { json } = await subscribe(session, NOTE);
    expect(json.error?.message).toContain('the session has 100 subscriptions');
  });
});

describe('the resourceSubscriptions of subscriptions/listen', () => {
  const listen = (resourceSubscriptions: unknown) =>
    read((signal) =>
      fetch(urlAt(0), {
        signal,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${tokens.alice}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 9,
          method: 'subscriptions/listen',
          params: {
            notifications: { resourceSubscriptions },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      }),
    );

  it('bring updates of upstreams of both eras, with the id of the subscription', async () => {
    const heard = await listen([NOTE, WATCHED, 'note://none']);
    await untilReceived(`subscribe ${NOTE}`);
    update();
    await untilUpdated(heard, [NOTE]);
    await eventually(async () => {
      await modern(urlAt(0), tokens.alice, 'tools/call', { name: 'current__test_trigger_resource_update' });
      return listUpdated(heard).includes(WATCHED) ? true : undefined;
    }, 'the update arrives');
    const [acknowledged, first] = [...heard.text.matchAll(/^data: (.+)$/gm)].map(
      ([, data]) => JSON.parse(data!) as object,
    );
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 9 };
    expect(acknowledged).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: [NOTE, WATCHED] }, _meta },
    });
    expect(first).toMatchObject({ params: { uri: NOTE, _meta } });
    heard.close();
    await untilReceived(`unsubscribe ${NOTE}`);
  });

  it.each([
    ['no list', 'x'],
    ['no URIs', [7]],
    ['too many', Array.from({ length: 101 }, (_, at) => `note://${at}`)],
  ])('are refused if they are %s', async (_, uris) => {
    const heard = await listen(uris);
    await eventually(() => (heard.text.includes('-32602') ? true : undefined), 'the error arrives');
  });

  it('serve a stock client', async () => {
    const client = await world.client(urlAt(0), tokens.alice, MODERN);
    expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: true, subscribe: true });
  });
});
