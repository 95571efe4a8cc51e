import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataPlane } from '../src/data-plane/data-plane.ts';
import { TokenWorld } from './support/token-world.ts';
import { modern } from './support/raw.ts';
import { eventually, type Gateway } from './support/world.ts';

let scene: TokenWorld;
let gateways: Gateway[];
const lines: string[] = [];
beforeAll(async () => {
  scene = await TokenWorld.start();
  const destination = { write: (line: string) => void lines.push(line) };
  const start = async () =>
    scene.world.gateway({ ...(await scene.replicaSettings()), LOG_LEVEL: 'debug' }, destination);
  gateways = [await start(), await start(), await start()];
}, 90_000);
afterAll(() => scene.close());
let before = 0;
beforeEach(() => {
  scene.refusesAll = false;
  scene.credentials.length = 0;
  before = scene.provider.refreshes;
});

const countRefreshes = () => scene.provider.refreshes - before;
const getText = ({ json }: Awaited<ReturnType<TokenWorld['call']>>) => JSON.stringify(json.result ?? json.error);

describe('a connector that one user has connected', () => {
  it('gets the token of that user and never that of the caller', async () => {
    const { accessToken } = await scene.connect('alice');
    const answer = await scene.call(gateways[0]!.url, 'alice');
    expect(getText(answer)).toContain(accessToken);
    expect(new Set(scene.credentials)).toEqual(new Set([`Bearer ${accessToken}`]));
  });

  it('asks another user to sign in, and the upstream sees no request', async () => {
    await scene.connect('alice');
    const text = getText(await scene.call(gateways[0]!.url, 'bob'));
    expect(text).toContain('needs you to sign in');
    const list = await modern(`${gateways[0]!.url}/mcp`, await scene.world.token('bob'), 'tools/list');
    expect(list.json.result?.['tools']).toEqual([]);
    expect(list.json.result?.['_meta']).toMatchObject({
      'gatehouse.dev/unavailable': [{ connector: 'own', reason: expect.stringContaining('sign in') }],
    });
    expect(scene.credentials).toEqual([]);
    expect(countRefreshes()).toBe(0);
  });

  it('gets no token after a move to another origin', async () => {
    await scene.connect('alice');
    const { endpoint } = scene.connector;
    try {
      scene.connector.endpoint = endpoint.replace('127.0.0.1', 'localhost');
      scene.world.manager.notifyChange();
      const moved = await eventually(async () => {
        const text = getText(await scene.call(gateways[0]!.url, 'alice'));
        return text.includes('needs you to sign in') ? text : undefined;
      }, 'the gateway knows the new endpoint');
      scene.credentials.length = 0;
      await scene.call(gateways[0]!.url, 'alice');
      expect([moved.includes('canary'), scene.credentials]).toEqual([false, []]);
      expect((await scene.read(gateways[0]!.controlUrl, 'alice', '/connectors/status')).text).toContain('needs_auth');
    } finally {
      scene.connector.endpoint = endpoint;
      scene.world.manager.notifyChange();
    }
    for (const { url } of gateways)
      await eventually(
        async () => getText(await scene.call(url, 'alice')).includes('canary-access') || undefined,
        'the gateway knows the old endpoint again',
      );
  });
});

describe('an expired token', () => {
  it('is refreshed once for 200 parallel calls over three replicas', async () => {
    await scene.connect('alice', -1_000);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => scene.call(gateways[at % 3]!.url, 'alice')),
    );
    const texts = new Set(answers.map(getText));
    expect([...texts]).toEqual([expect.stringContaining('canary-access')]);
    expect(countRefreshes()).toBe(1);
  }, 60_000);

  it('is refreshed once for 60 parallel calls that the upstream refused before its expiry', async () => {
    const { accessToken } = await scene.connect('alice');
    await Promise.all(gateways.map(({ url }) => scene.call(url, 'alice')));
    scene.provider.accepted.delete(accessToken);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => scene.call(gateways[at % 3]!.url, 'alice')),
    );
    expect(answers.every((answer) => getText(answer).includes('canary-access'))).toBe(true);
    expect(countRefreshes()).toBe(1);
  }, 60_000);
});

describe('an upstream that refuses every token', () => {
  it('causes one refresh, then the user must sign in and no request is sent', async () => {
    await scene.connect('alice');
    scene.refusesAll = true;
    await eventually(async () => {
      const text = getText(await scene.call(gateways[0]!.url, 'alice'));
      return text.includes('needs you to sign in') || undefined;
    }, 'the user is asked to sign in');
    expect(countRefreshes()).toBe(1);
    const requests = scene.credentials.length;
    for (const { url } of gateways) await scene.call(url, 'alice');
    expect([countRefreshes(), scene.credentials.length]).toEqual([1, requests]);
    expect(await scene.findTokens('alice')).toMatchObject({ reason: 'revoked' });
  });
});

describe('the connection status of a user', () => {
  const readAll = async ({ controlUrl }: Gateway) => {
    const paths = ['', '/connectors', '/connectors/status', `/connectors/${scene.connector.id}/status`];
    return Promise.all(paths.map((path) => scene.read(controlUrl, 'bob', path)));
  };

  it('is connected in every view with another ETag after a sign-in, and needs_auth before and after', async () => {
    const none = await readAll(gateways[0]!);
    expect(none.map(({ text }) => text.includes('"needs_auth"'))).toEqual([true, true, true, true]);
    await scene.connect('bob');
    const connected = await readAll(gateways[1]!);
    expect(connected.map(({ text }) => text.includes('"connected"'))).toEqual([true, true, true, true]);
    expect(connected.some(({ etag }, at) => etag === none[at]?.etag)).toBe(false);
    const status = await fetch(
      `${gateways[0]!.controlUrl}/v1/users/me/gateway/connectors/${scene.connector.id}/connect`,
      { method: 'DELETE', headers: { authorization: `Bearer ${await scene.world.token('bob')}` } },
    );
    expect([status.status, scene.provider.revoked.length]).toEqual([204, 1]);
    expect((await readAll(gateways[2]!)).map(({ text }) => text.includes('"needs_auth"'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('changes the lists of a live session on another replica', async () => {
    const client = await scene.world.client(`${gateways[1]!.url}/mcp`, await scene.world.token('bob'));
    expect((await client.listTools()).tools).toEqual([]);
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes += 1;
    });
    await eventually(
      () => gateways.some(({ service }) => service.app.get(DataPlane).countOpen().streams > 0) || undefined,
      'the stream is open',
    );
    await scene.connect('bob');
    await eventually(() => changes > 0 || undefined, 'the client is notified');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['own__only']);
  }, 60_000);
});

describe('the logs of the replicas', () => {
  it('contain no token', () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('canary'))).toEqual([]);
  });
});
