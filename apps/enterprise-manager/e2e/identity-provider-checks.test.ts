import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeProvider, oauth2, oidc, type Provider, startMetadata } from './identity-provider-scene.ts';

const READ = 'GET /v1/connector-identity-providers/{id}';
const UPDATE = 'PUT /v1/connector-identity-providers/{id}';

interface Discovery {
  status: string;
  checked_at: string;
  error?: string;
}

describe('the check of an identity provider', () => {
  let manager: TestManager;
  const clock = new TestClock();
  let admin: string;
  beforeAll(async () => {
    manager = await startManager({ clock, environment: { ALLOW_LOOPBACK_UPSTREAMS: 'true' } });
    admin = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: 86_400 });
  }, 60_000);
  afterAll(() => manager.close());

  const read = (id: string) => manager.client.call<Provider>(READ, { token: admin, path: { id } });
  const getDiscovery = ({ discovery }: Provider) => discovery as Discovery;
  /** Waits until the background check has another outcome. */
  const waitForRecheck = async (id: string, status: string): Promise<Discovery> => {
    clock.time += 61_000;
    const end = Date.now() + 40_000;
    for (;;) {
      const discovery = getDiscovery((await read(id)).body);
      if (discovery.status === status) return discovery;
      if (Date.now() > end) throw new Error(`the discovery is ${JSON.stringify(discovery)}, not ${status}`);
      await sleep(250);
    }
  };
  const getTime = () => new Date(clock.time).toISOString();

  it('is ok if the document agrees, and none without a document', async () => {
    const metadata = await startMetadata();
    expect(getDiscovery(await makeProvider(manager, oidc(metadata.issuer)))).toEqual({
      status: 'ok',
      checked_at: getTime(),
    });
    expect(getDiscovery(await makeProvider(manager, oauth2())).status).toBe('none');
    await metadata.close();
  });

  it('marks a provider that does not respond, and is repeated until it responds', async () => {
    const port = await freePort();
    const made = await makeProvider(manager, oidc(`http://127.0.0.1:${port}`));
    expect(getDiscovery(made)).toEqual({
      status: 'unreachable',
      checked_at: getTime(),
      error: expect.stringMatching(/^oidc_config\.issuer_url: .*refused the connection/),
    });
    const etag = (await read(made.id)).headers.get('etag');
    expect((await waitForRecheck(made.id, 'unreachable')).status).toBe('unreachable');
    expect((await read(made.id)).headers.get('etag')).toBe(etag);
    const metadata = await startMetadata(port);
    expect(await waitForRecheck(made.id, 'ok')).toEqual({ status: 'ok', checked_at: getTime() });
    expect((await read(made.id)).headers.get('etag')).not.toBe(etag);
    await metadata.close();
  }, 120_000);

  it('marks a provider that was unreachable and has a contradicting document', async () => {
    const port = await freePort();
    const made = await makeProvider(manager, oidc(`http://127.0.0.1:${port}`));
    const metadata = await startMetadata(port);
    metadata.overrideFields({ issuer: 'https://elsewhere.example' });
    expect(await waitForRecheck(made.id, 'contradicts')).toMatchObject({
      error: expect.stringMatching(/another issuer/),
    });
    metadata.overrideFields({});
    expect((await waitForRecheck(made.id, 'ok')).error).toBeUndefined();
    await metadata.close();
  }, 120_000);

  it.each([[500], [503], [429], [408]])('treats HTTP %d as an unreachable provider', async (status) => {
    const metadata = await startMetadata();
    metadata.replaceDocument((_, response) => response.writeHead(status).end());
    expect(getDiscovery(await makeProvider(manager, oidc(metadata.issuer)))).toMatchObject({
      status: 'unreachable',
      error: expect.stringContaining(`answers HTTP ${status}`),
    });
    await metadata.close();
  });

  it('marks a host name that DNS cannot resolve, for both types', async () => {
    const typed = [
      oidc('https://nowhere.invalid', { allow_private_ips: false }),
      oauth2({ token_endpoint: 'https://nowhere.invalid/token' }),
    ];
    for (const body of typed)
      expect(getDiscovery(await makeProvider(manager, body))).toMatchObject({
        status: 'unreachable',
        error: expect.stringMatching(
          /_config\.(?:issuer_url|token_endpoint): DNS knows no address of nowhere\.invalid/,
        ),
      });
  });

  it('marks an oauth2 provider whose metadata document cannot be read', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const config = {
      client_id: undefined,
      allow_private_ips: true,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      dcr: { discovery_url: `${issuer}/.well-known/oauth-authorization-server` },
    };
    expect(getDiscovery(await makeProvider(manager, oauth2(config)))).toMatchObject({
      status: 'unreachable',
      error: expect.stringMatching(/^oauth2_config\.dcr\.discovery_url: /),
    });
  });

  it('is repeated by each write', async () => {
    const metadata = await startMetadata();
    const made = await makeProvider(manager, oidc(`http://127.0.0.1:${await freePort()}`));
    const { status, body } = await manager.client.call<Provider>(UPDATE, {
      token: admin,
      path: { id: made.id },
      body: oidc(metadata.issuer),
    });
    expect([status, getDiscovery(body).status]).toEqual([200, 'ok']);
    await metadata.close();
  });
});
