import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { ConnectWorld } from './support/connect-world.ts';
import { eventually, type Gateway } from './support/world.ts';

let scene: ConnectWorld;
let gateway: Gateway;
const lines: string[] = [];
beforeAll(async () => {
  scene = await ConnectWorld.start();
  gateway = await scene.gateway({ LOG_LEVEL: 'debug' });
}, 60_000);
afterAll(() => scene.close());

describe('the sign-in in a browser', () => {
  it('is a page that says what to set when no client is configured', async () => {
    const other = await scene.world.gateway({ KEY_ENCRYPTION_KEYS: scene.settings['KEY_ENCRYPTION_KEYS']! });
    const page = await new Browser().open(await scene.begin(other.controlUrl, 'alice'));
    expect([page.status, page.html.includes('SIGN_IN_CLIENTS')]).toEqual([503, true]);
    await other.close();
  });

  it('ends in the browser that began it, once', async () => {
    const browser = scene.signIn('alice');
    const link = await scene.begin(gateway.controlUrl, 'alice');
    const { url: callback } = await browser.open(link, `${gateway.url}/oauth/sign-in/callback`);
    const foreign = await new Browser().open(callback);
    expect([foreign.status, foreign.html.includes('expired')]).toEqual([400, true]);
    expect((await browser.open(callback)).html).toContain('Connect Files');
    expect((await browser.open(callback)).status).toBe(400);
  });

  it('refuses a response of another issuer, and a refusal of the provider', async () => {
    const { authorization } = scene.world.issuer;
    for (const [status, change] of [
      [502, (query: URLSearchParams) => query.set('iss', 'https://hostile.example')],
      [
        403,
        (query: URLSearchParams) => {
          query.delete('code');
          query.set('error', 'access_denied');
          query.set('error_description', '<script>1</script>');
        },
      ],
    ] as const) {
      authorization.changeRedirect = change;
      const page = await scene.signIn('alice').open(await scene.begin(gateway.controlUrl, 'alice'));
      expect([page.status, page.html.includes('script>1')]).toEqual([status, false]);
    }
    authorization.changeRedirect = () => undefined;
  });

  it('lets a user sign out and another one sign in', async () => {
    const browser = scene.signIn('bob');
    const link = await scene.begin(gateway.controlUrl, 'alice');
    const page = await browser.open(link);
    const csrf = hiddenField(page.html, 'csrf');
    expect((await browser.submit(`${gateway.url}/oauth/sign-out`, { csrf: 'x' })).status).toBe(403);
    expect((await browser.submit(`${gateway.url}/oauth/sign-out`, { csrf })).html).toContain('Signed out');
    scene.world.issuer.authorization.user = 'alice';
    expect((await browser.open(link)).html).toContain('Connect Files');
  });

  it('does not open the page for a user who was deactivated', async () => {
    const link = await scene.begin(gateway.controlUrl, 'bob');
    const bob = scene.world.manager.users.find(({ subject }) => subject === 'bob')!;
    bob.active = false;
    await scene.world.applyChanges();
    const page = await scene.signIn('bob').open(link);
    expect([page.status, page.html.includes('no access')]).toEqual([403, true]);
    bob.active = true;
    await scene.world.applyChanges();
  });

  it('shows that the provider of the upstream does not answer', async () => {
    const browser = scene.signIn('alice');
    const config = scene.connector.identity_provider!.oidc_config!;
    const issuer = config['issuer_url'];
    config['issuer_url'] = 'http://127.0.0.1:9';
    scene.world.manager.notifyChange();
    await eventually(() => scene.world.manager.isPublishedAt(1) || undefined, 'the gateway knows the change');
    const page = await browser.open(await scene.begin(gateway.controlUrl, 'alice'));
    expect([page.status, page.html.includes('was not connected')]).toEqual([503, true]);
    config['issuer_url'] = issuer;
    scene.world.manager.notifyChange();
    await eventually(() => scene.world.manager.isPublishedAt(1) || undefined, 'the gateway knows the change');
  });
});

describe('a sign-in at several replicas', () => {
  it('continues at another replica than the one that began it', async () => {
    const origin = { PUBLIC_URL: gateway.url };
    const second = await scene.world.gateway({ ...scene.settings, ...origin });
    const link = await scene.begin(second.controlUrl, 'alice');
    expect(link.startsWith(gateway.url)).toBe(true);
    const browser = scene.signIn('alice');
    const callback = await scene.approve(
      browser,
      link.replace(gateway.url, second.url),
      `${gateway.url}/oauth/callback`,
    );
    expect((await browser.open(callback.url)).html).toContain('is connected');
    await second.close();
  });
});

describe('the log', () => {
  it('contains no link, state, code, cookie or token', async () => {
    const logged = await scene.world.gateway(
      { ...scene.settings, LOG_LEVEL: 'debug' },
      { write: (line) => lines.push(line) },
    );
    scene.allowSignIn(logged.url);
    const link = await scene.begin(logged.controlUrl, 'alice');
    const browser = scene.signIn('alice');
    const { url: callback } = await scene.approve(browser, link, `${logged.url}/oauth/callback`);
    expect(callback).toContain('code=');
    let accessToken = '';
    scene.provider.authorization.answerToken = (tokens) => {
      accessToken = String(tokens['access_token']);
      return undefined;
    };
    expect((await browser.open(`${callback}&error=x`)).status).toBeGreaterThanOrEqual(400);
    expect((await browser.open(callback)).status).toBeGreaterThanOrEqual(400);
    expect((await scene.connect(logged, 'alice')).status).toBe(200);
    const query = new URL(callback).searchParams;
    const log = lines.join('');
    expect(log.length).toBeGreaterThan(0);
    for (const secret of [link.split('/').at(-1), query.get('state'), query.get('code'), accessToken, 'set-cookie'])
      expect([secret, log.includes(String(secret))]).toEqual([secret, false]);
    scene.provider.authorization.answerToken = () => undefined;
    await logged.close();
  });
});
