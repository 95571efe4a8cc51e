import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ConnectWorld } from './support/connect-world.ts';
import { eventually, type Gateway } from './support/world.ts';

let scene: ConnectWorld;
let gateway: Gateway;
beforeEach(async () => {
  scene = await ConnectWorld.start();
  gateway = await scene.gateway();
}, 60_000);
afterEach(() => scene.close());

describe('connecting a connector', () => {
  it('stores the tokens of a user who consented', async () => {
    const link = await scene.begin(gateway.controlUrl, 'alice');
    expect(link.startsWith(`${gateway.url}/oauth/connect/`)).toBe(true);
    const browser = scene.signIn('alice');
    const consent = await browser.open(link);
    expect(consent.status).toBe(200);
    for (const text of ['Files &#60;b&#62;', new URL(scene.upstream.url).host, new URL(scene.provider.issuer).host])
      expect(consent.html).toContain(text);
    expect(consent.html).toContain('<dd>read</dd>');
    expect(scene.provider.authorization.requests.map(({ path }) => path)).toEqual(['/register']);

    const page = await scene.approve(browser, link);
    expect([page.status, page.html.includes('is connected')]).toEqual([200, true]);
    const [client] = scene.provider.authorization.clients;
    expect(await scene.listTokens()).toEqual([
      {
        subject: 'alice',
        connector_id: scene.connector.id,
        provider_issuer: scene.provider.issuer,
        client_id: client?.clientId,
      },
    ]);
    expect(scene.listTokenRequests()[0]?.get('resource')).toBe(scene.upstream.url);
    expect(await scene.listAudit()).toEqual(['succeeded alice']);
  });

  it('stores tokens and audit event together or not at all', async () => {
    const database = new pg.Client({ connectionString: scene.world.database.adminUrl });
    await database.connect();
    await database.query(
      `CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
    );
    await database.query(
      'CREATE TRIGGER refuse_event BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse_event()',
    );
    const before = JSON.stringify(await scene.listTokens());
    expect((await scene.connect(gateway, 'bob')).status).toBe(500);
    expect(JSON.stringify(await scene.listTokens())).toBe(before);
    await database.query('DROP FUNCTION refuse_event CASCADE');
    await database.end();
    expect((await scene.connect(gateway, 'bob')).status).toBe(200);
    expect((await scene.listAudit()).at(-1)).toBe('succeeded bob');
    await scene.request(gateway.controlUrl, 'bob', 'DELETE');
  });

  it('registers once for all users', async () => {
    for (const subject of ['alice', 'bob']) expect((await scene.connect(gateway, subject)).status).toBe(200);
    expect(scene.provider.authorization.clients).toHaveLength(1);
    expect((await scene.listTokens()).map(({ subject }) => subject)).toEqual(['alice', 'bob']);
  });

  it('sends a user who cancels nowhere', async () => {
    const browser = scene.signIn('alice');
    const page = await browser.open(await scene.begin(gateway.controlUrl, 'alice'));
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    expect((await browser.submit(page.url, { csrf, decision: 'cancel' })).html).toContain('Nothing was connected');
    expect(await scene.listTokens()).toEqual([]);
  });

  it('is 409 for a connector without a sign-in, and 404 for an unknown one', async () => {
    const open = scene.world.manager.addConnector({ slug: 'open', endpoint: scene.upstream.url }, ['all']);
    await eventually(() => scene.world.manager.isPublishedAt(1) || undefined, 'the gateway knows the connector');
    for (const method of ['POST', 'DELETE']) {
      expect((await scene.request(gateway.controlUrl, 'alice', method, open.id)).status).toBe(409);
      expect((await scene.request(gateway.controlUrl, 'alice', method, randomUUID())).status).toBe(404);
    }
  });

  it('deletes and revokes the tokens of a user who disconnects', async () => {
    await scene.connect(gateway, 'alice');
    expect((await scene.request(gateway.controlUrl, 'alice', 'DELETE')).status).toBe(204);
    expect(await scene.listTokens()).toEqual([]);
    expect(scene.provider.authorization.requests.at(-1)?.path).toBe('/revoke');
    expect(await scene.listAudit()).toEqual(['succeeded alice', 'succeeded alice']);
    expect((await scene.request(gateway.controlUrl, 'alice', 'DELETE')).status).toBe(204);
    expect(await scene.listAudit()).toHaveLength(2);
  });

  it('publishes the metadata of the gateway as a client', async () => {
    const response = await fetch(`${gateway.url}/oauth/client-metadata.json`);
    expect(await response.json()).toMatchObject({
      client_id: `${gateway.url}/oauth/client-metadata.json`,
      redirect_uris: [`${gateway.url}/oauth/callback`],
      token_endpoint_auth_method: 'none',
    });
  });
});

describe('a link', () => {
  it('of another user connects nothing', async () => {
    const link = await scene.begin(gateway.controlUrl, 'alice');
    const page = await scene.signIn('bob').open(link);
    expect([page.status, page.html.includes('belongs to another person')]).toEqual([403, true]);
    expect(await scene.listTokens()).toEqual([]);
    expect(await scene.listAudit()).toEqual(['forbidden bob']);
  });

  it('that was altered is refused', async () => {
    const link = await scene.begin(gateway.controlUrl, 'alice');
    const page = await scene.signIn('alice').open(`${link}x`);
    expect([page.status, page.html.includes('expired')]).toEqual([400, true]);
  });

  it('of a connector that was removed meanwhile shows so', async () => {
    const link = await scene.begin(gateway.controlUrl, 'alice');
    scene.connector.auth = { type: 'none' };
    scene.world.manager.notifyChange();
    await eventually(() => scene.world.manager.isPublishedAt(1) || undefined, 'the gateway knows the change');
    const page = await scene.signIn('alice').open(link);
    expect([page.status, page.html.includes('no such connector')]).toEqual([404, true]);
    expect(await scene.listAudit()).toEqual(['forbidden alice']);
  });
});

describe('the callback', () => {
  it('refuses another browser, and the own one can go on', async () => {
    const { browser, callback } = await scene.stopAtCallback(gateway, 'alice');
    const foreign = await new Browser().open(callback);
    expect([foreign.status, foreign.html.includes('another browser')]).toEqual([403, true]);
    const other = scene.signIn('bob');
    await other.open(await scene.begin(gateway.controlUrl, 'bob'));
    expect((await other.open(callback)).status).toBe(403);
    expect(scene.listTokenRequests()).toEqual([]);
    expect((await browser.open(callback)).status).toBe(200);
    expect(await scene.listAudit()).toEqual(['forbidden alice', 'forbidden alice', 'succeeded alice']);
  });

  it('refuses a state that was used', async () => {
    const { browser, callback } = await scene.stopAtCallback(gateway, 'alice');
    expect((await browser.open(callback)).status).toBe(200);
    const page = await browser.open(callback);
    expect([page.status, page.html.includes('already ended')]).toEqual([400, true]);
    expect(await scene.listAudit()).toEqual(['succeeded alice', 'forbidden alice']);
    expect(scene.listTokenRequests()).toHaveLength(1);
  });

  it('uses a state once of many parallel requests', async () => {
    const { browser, callback } = await scene.stopAtCallback(gateway, 'alice');
    const pages = await Promise.all(Array.from({ length: 8 }, () => browser.open(callback)));
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(scene.listTokenRequests()).toHaveLength(1);
  });

  it('refuses an expired state', async () => {
    const { browser, callback } = await scene.stopAtCallback(gateway, 'alice');
    await scene.world.sql("UPDATE connect_flows SET expires_at = now() - interval '1 second'");
    const page = await browser.open(callback);
    expect([page.status, page.html.includes('10 minutes')]).toEqual([400, true]);
    expect(await scene.listAudit()).toEqual(['forbidden alice']);
    expect(scene.listTokenRequests()).toEqual([]);
  });

  it.each([
    ['altered', (query: URLSearchParams) => query.set('state', `${query.get('state')}x`)],
    ['missing', (query: URLSearchParams) => query.delete('state')],
    ['repeated', (query: URLSearchParams) => query.append('state', 'other')],
  ])('refuses a state that is %s', async (_, change) => {
    const { browser, callback } = await scene.stopAtCallback(gateway, 'alice');
    const url = new URL(callback);
    change(url.searchParams);
    expect((await browser.open(url.href)).status).toBe(400);
    expect(await scene.listTokens()).toEqual([]);
    expect(await scene.listAudit()).toEqual(['forbidden alice']);
  });

  it.each([
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://hostile.example')],
    ['no issuer, although the provider promised one', (query: URLSearchParams) => query.delete('iss')],
    [
      'an error of another issuer',
      (query: URLSearchParams) => {
        query.delete('code');
        query.set('iss', 'https://hostile.example');
        query.set('error', 'access_denied');
        query.set('error_description', 'call 555-0100');
      },
    ],
  ])('refuses a response with %s, and shows no text of it', async (_, change) => {
    const { browser, callback } = await scene.stopAtCallback(gateway, 'alice');
    const url = new URL(callback);
    change(url.searchParams);
    const page = await browser.open(url.href);
    expect(page.status).toBe(502);
    expect(page.html).not.toMatch(/hostile|555/);
    expect(scene.listTokenRequests()).toEqual([]);
    expect(await scene.listAudit()).toEqual(['forbidden alice']);
  });

  it('escapes the error of a provider', async () => {
    scene.provider.authorization.denyWith = {
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
    };
    const page = await scene.connect(gateway, 'alice');
    expect(page.status).toBe(403);
    expect(page.html).toContain('&#60;script&#62;');
    expect(page.html).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['HTML', { status: 200, type: 'text/html', body: '<html></html>' }],
    ['garbage', { status: 200, type: 'application/json', body: '{' }],
    ['an error page', { status: 400, type: 'text/html', body: 'no' }],
    ['no token', { status: 200, type: 'application/json', body: '{"token_type":"Bearer"}' }],
    ['another token type', { status: 200, type: 'application/json', body: '{"access_token":"a","token_type":"mac"}' }],
    ['a DPoP token', { status: 200, type: 'application/json', body: '{"access_token":"a","token_type":"DPoP"}' }],
    ['a line break', { status: 200, type: 'application/json', body: '{"access_token":"a\\nb","token_type":"Bearer"}' }],
    [
      'a token of 1 MB',
      {
        status: 200,
        type: 'application/json',
        body: JSON.stringify({ access_token: 'a'.repeat(1_000_000), token_type: 'Bearer' }),
      },
    ],
  ])('stores nothing when the provider answers with %s', async (_, answer) => {
    scene.provider.authorization.answerToken = () => answer;
    const page = await scene.connect(gateway, 'alice');
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.html).toContain('was not connected');
    expect(await scene.listTokens()).toEqual([]);
    expect(await scene.listAudit()).toEqual(['forbidden alice']);
  });

  it.each([
    ['without a lifetime', {}, 1],
    ['with a negative lifetime', { expires_in: -5 }, 0],
    ['with a huge lifetime', { expires_in: 1e300 }, 1],
  ])('stores a token %s, or nothing', async (_, lifetime, stored) => {
    scene.provider.authorization.answerToken = () => ({
      status: 200,
      type: 'application/json',
      body: JSON.stringify({ access_token: 'a', token_type: 'bearer', ...lifetime }),
    });
    await scene.connect(gateway, 'alice');
    expect(await scene.listTokens()).toHaveLength(stored);
  });
});

describe('the consent', () => {
  it('needs the form of its own session', async () => {
    const browser = scene.signIn('alice');
    const page = await browser.open(await scene.begin(gateway.controlUrl, 'alice'));
    for (const fields of [{ decision: 'connect' }, { decision: 'connect', csrf: 'x' }])
      expect((await browser.submit(page.url, fields as Record<string, string>)).status).toBe(403);
    expect(await scene.listAudit()).toEqual(['forbidden alice', 'forbidden alice']);
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const foreign = await browser.open(page.url, undefined, {
      method: 'POST',
      body: new URLSearchParams({ csrf, decision: 'connect' }),
      headers: { origin: 'https://hostile.example' },
    });
    expect(foreign.status).toBe(403);
    expect(await scene.world.sql('SELECT id FROM connect_flows')).toEqual([]);
  });

  it('is for the scopes that the page showed', async () => {
    const browser = scene.signIn('alice');
    const page = await browser.open(await scene.begin(gateway.controlUrl, 'alice'));
    const { oidc_config } = scene.connector.identity_provider as { oidc_config: Record<string, unknown> };
    oidc_config['scopes'] = ['read', 'delete'];
    scene.world.manager.notifyChange();
    await eventually(
      async () => (await browser.open(page.url)).html.includes('delete') || undefined,
      'the page shows the new scope',
    );
    const refused = await browser.submit(page.url, { csrf: hiddenField(page.html, 'csrf'), decision: 'connect' });
    expect(refused.status).toBe(403);
    expect(await scene.world.sql('SELECT id FROM connect_flows')).toEqual([]);
  });

  it('sets the cookie of the sign-in only when it is given', async () => {
    const browser = scene.signIn('alice');
    const page = await browser.open(await scene.begin(gateway.controlUrl, 'alice'));
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('has a quota of pending sign-ins for each user', async () => {
    const browser = scene.signIn('alice');
    const link = await scene.begin(gateway.controlUrl, 'alice');
    const until = scene.provider.issuer;
    for (let at = 0; at < 20; at += 1) expect((await scene.approve(browser, link, until)).status).toBe(0);
    const refused = await scene.approve(browser, link, until);
    expect([refused.status, refused.html.includes('Too many sign-ins')]).toEqual([429, true]);
    expect(await scene.listAudit()).toEqual(['forbidden alice']);
    expect((await scene.connect(gateway, 'bob')).status).toBe(200);
  });
});
