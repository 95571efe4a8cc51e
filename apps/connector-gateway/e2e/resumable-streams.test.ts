import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { initialize, post } from './support/raw.ts';
import { scripted, type ScriptedServer, stream } from './support/scripted.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let upstream: ScriptedServer;
let token: string;
let url: string;
/** The running call at the upstream. */
let running: { id: unknown; send: (message: object) => boolean; response: ServerResponse } | undefined;

beforeAll(async () => {
  world = await World.start();
  upstream = await scripted({
    'tools/call': ({ id }, response) => {
      running = { id, send: stream(response), response };
      response.flushHeaders();
    },
  });
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.toggle(alice, world.manager.addConnector({ slug: 'a', endpoint: upstream.url }, ['all']), true);
  gateway = await world.gateway();
  url = `${gateway.url}/mcp`;
  token = await world.token('alice');
}, 60_000);

afterAll(async () => {
  await world.close();
  await upstream.close();
});

const log = () => running!.send({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
const finish = () => {
  running!.send({ id: running!.id, result: { content: [] } });
  running!.response.end();
};

/** Starts a call. The response has begun as soon as the upstream sent a message. */
async function call(session: string, signal?: AbortSignal): Promise<Response> {
  running = undefined;
  const response = fetch(url, {
    method: 'POST',
    ...(signal && { signal }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-session-id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'a__only' } }),
  });
  await eventually(() => running, 'the call is running');
  log();
  return response;
}

/** Begins a session of another revision. */
async function initializeAt(protocolVersion: string): Promise<string> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  return (await post(url, message, { authorization: `Bearer ${token}` })).headers.get('mcp-session-id')!;
}

describe('the stream of a call in a session', () => {
  it('begins with an event that has an id, a pause and no data', async () => {
    const response = await call(await initialize(url, token));
    finish();
    expect(await response.text()).toMatch(
      /^id: (p[0-9a-f]{8}1)\.0\nretry: 1000\ndata: \n\nid: \1\.1\nevent: message\ndata: \{/,
    );
  });

  it('begins with its first message at revisions before 2025-11-25', async () => {
    const response = await call(await initializeAt('2025-06-18'));
    finish();
    expect(await response.text()).toMatch(/^id: p[0-9a-f]{8}1\.1\nevent: message\ndata: \{/);
  });

  it('is resumed from its first event after a lost connection', async () => {
    const session = await initialize(url, token);
    const lost = new AbortController();
    const { value } = await (await call(session, lost.signal)).body!.getReader().read();
    const [, stream] = /^id: (\w+)\.0$/m.exec(Buffer.from(value).toString())!;
    lost.abort();
    finish();
    const resumed = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-session-id': session,
        'last-event-id': `${stream}.0`,
      },
    });
    const text = await resumed.text();
    expect([...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)).toEqual([`${stream}.1`, `${stream}.2`]);
    expect(text).toContain('"result":{"content":[]}');
  });
});
