import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { EmbeddedServerWorld } from './support/embedded-server.ts';
import { ClientMemory, CLIENT_REDIRECT, decide, openConsent, signIn } from './support/mcp-sign-in.ts';
import {
  createAuthorization,
  redeem,
  refresh,
  register,
  registerClient,
  requestToken,
  signInClient,
} from './support/raw-authorization.ts';

let world: EmbeddedServerWorld;
let origin: string;

beforeAll(async () => {
  world = await EmbeddedServerWorld.start();
  origin = (await world.replica()).address;
}, 60_000);
afterAll(() => world.close());

/** The error of an authorization request that is refused with a redirect to the client. */
async function readRefusal(url: URL): Promise<Record<string, string>> {
  const end = await new Browser().open(url.href, CLIENT_REDIRECT);
  const { searchParams, hash } = new URL(end.url);
  return Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]);
}

describe('a stock client that knows only the address of the MCP endpoint', () => {
  it('registers, signs in at the corporate provider, and gets an access token for the endpoint', async () => {
    const memory = await signIn(`${origin}/mcp`);
    const { access_token: token = '', refresh_token, expires_in } = memory.stored ?? {};
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(decodeJwt(token)).toMatchObject({
      iss: origin,
      aud: `${origin}/mcp`,
      sub: 'alice',
      corporate_issuer: world.corporate.issuer,
    });
    expect(expires_in).toBe(600);
    expect(refresh_token).toBeDefined();
  });

  it('refreshes its tokens', async () => {
    const memory = await signIn(`${origin}/mcp`);
    const before = memory.stored;
    expect(await auth(memory, { serverUrl: `${origin}/mcp` })).toBe('AUTHORIZED');
    expect(memory.stored?.refresh_token).not.toBe(before?.refresh_token);
  });

  it('signs in also as a client with a secret', async () => {
    const memory = new ClientMemory({ token_endpoint_auth_method: 'client_secret_post' });
    expect((await signIn(`${origin}/mcp`, memory)).stored?.access_token).toBeDefined();
  });
});

describe('the metadata of the authorization server', () => {
  it.each(['oauth-authorization-server', 'openid-configuration'])('is at /.well-known/%s', async (name) => {
    const response = await fetch(`${origin}/.well-known/${name}`);
    expect(await response.json()).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      jwks_uri: `${origin}/oauth/jwks`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('names nothing that is not served', async () => {
    const response = await fetch(`${origin}/.well-known/oauth-authorization-server`);
    const document = Object.keys((await response.json()) as object);
    expect(document).not.toContain('pushed_authorization_request_endpoint');
    expect(document).not.toContain('dpop_signing_alg_values_supported');
  });

  it('names the public address for any headers of the request', async () => {
    const headers = { 'x-forwarded-host': 'hostile.example', 'x-forwarded-proto': 'https' };
    const response = await fetch(`${origin}/.well-known/oauth-authorization-server`, { headers });
    expect(await response.json()).toMatchObject({ issuer: origin, token_endpoint: `${origin}/oauth/token` });
  });

  it('publishes public keys only', async () => {
    const { keys } = (await (await fetch(`${origin}/oauth/jwks`)).json()) as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(2);
    expect(keys.every((key) => !('d' in key) && key['use'] === 'sig')).toBe(true);
  });
});

describe('the consent page', () => {
  it('shows the client, the host of the redirect, the endpoint, the scopes and the person', async () => {
    const clientId = await registerClient(origin, { client_name: 'Weather <b>helper</b>' });
    const { page } = await openConsent(createAuthorization(origin, clientId, { scope: 'openid' }).url);
    expect(page.html).toContain('Weather &#60;b&#62;helper&#60;/b&#62;');
    expect(page.html).not.toContain('<b>helper</b>');
    for (const text of ['127.0.0.1:7999', CLIENT_REDIRECT, `${origin}/mcp`, 'call the tools', 'alice'])
      expect(page.html).toContain(text);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });

  it('says that the client keeps access, and shows no scope that is not granted', async () => {
    const clientId = await registerClient(origin);
    const scope = 'mcp constructor press-Allow-to-continue';
    const { page } = await openConsent(createAuthorization(origin, clientId, { scope }).url);
    expect(page.html).toContain('keep access until you');
    expect(page.html).not.toContain('press-Allow');
  });

  it('appears for each authorization, also for a person who consented to the same client before', async () => {
    const clientId = await registerClient(origin);
    const browser = new Browser();
    for (const uri of [CLIENT_REDIRECT, 'http://127.0.0.1:8123/callback']) {
      const { url } = createAuthorization(origin, clientId, { redirect_uri: uri });
      const opened = await openConsent(url, browser);
      expect(opened.page.html).toContain(new URL(uri).host);
      expect((await decide(opened, 'allow', uri)).searchParams.get('code')).not.toBeNull();
    }
  });

  it('appears for a client that an attacker registered, with the host of the attacker', async () => {
    const uri = 'https://hostile.example/callback';
    await signInClient(origin);
    const clientId = await registerClient(origin, { client_name: 'Claude', redirect_uris: [uri] });
    const { page } = await openConsent(createAuthorization(origin, clientId, { redirect_uri: uri }).url);
    expect(page.html).toContain('hostile.example');
    expect(page.html).toContain('Its name is not verified');
  });

  it('cannot be skipped with prompt=none', async () => {
    const clientId = await registerClient(origin);
    expect(await readRefusal(createAuthorization(origin, clientId, { prompt: 'none' }).url)).toMatchObject({
      error: 'interaction_required',
    });
  });

  it('sends a refusal of the user to the client, with issuer and state', async () => {
    const clientId = await registerClient(origin);
    const redirect = await decide(await openConsent(createAuthorization(origin, clientId).url), 'deny');
    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({
      error: 'access_denied',
      iss: origin,
      state: 'state of the client',
    });
  });

  it.each([
    ['without a token', {}, {}],
    ['with a wrong token', { form_token: 'wrong' }, {}],
    ['from another site', undefined, { 'sec-fetch-site': 'cross-site' }],
  ])('ignores a form %s', async (_what, fields, headers) => {
    const clientId = await registerClient(origin);
    const { browser, page } = await openConsent(createAuthorization(origin, clientId).url);
    const sent = fields ?? { form_token: hiddenField(page.html, 'form_token') };
    const body = new URLSearchParams({ decision: 'allow', ...sent });
    const answer = await browser.open(page.url, CLIENT_REDIRECT, { method: 'POST', body, headers });
    expect(answer.url).toBe(page.url);
    expect(answer.html).toContain('form_token');
  });

  it('does not open in another browser', async () => {
    const clientId = await registerClient(origin);
    const { page } = await openConsent(createAuthorization(origin, clientId).url);
    const other = await new Browser().open(page.url);
    expect(other.status).toBe(400);
    expect(other.html).not.toContain('form_token');
    expect(other.html).toContain('Start again in your client');
  });

  it('does not take the token of another interaction', async () => {
    const clientId = await registerClient(origin);
    const one = await openConsent(createAuthorization(origin, clientId).url);
    const other = await openConsent(createAuthorization(origin, clientId).url);
    const fields = { form_token: hiddenField(other.page.html, 'form_token'), decision: 'allow' };
    expect((await one.browser.submit(one.page.url, fields, CLIENT_REDIRECT)).url).toBe(one.page.url);
  });
});

describe('a corporate sign-in', () => {
  it('of another browser cannot complete an interaction', async () => {
    const clientId = await registerClient(origin);
    const victim = new Browser();
    const redirect = await victim.open(createAuthorization(origin, clientId).url.href, world.corporate.issuer);
    const end = await new Browser().open(redirect.url);
    expect(end.status).toBe(400);
    expect(end.html).not.toContain('form_token');
  });

  it('with an altered state or a refusal of the provider ends with a page that offers another try', async () => {
    const clientId = await registerClient(origin);
    const { authorization } = world.corporate;
    authorization.denyWith = { error: 'access_denied', error_description: '<script>' };
    const browser = new Browser();
    const failed = await browser.open(createAuthorization(origin, clientId).url.href);
    authorization.denyWith = undefined;
    expect(failed.status).toBe(502);
    expect(failed.html).not.toContain('<script');
    const path = /href="([^"]+)"/.exec(failed.html)?.[1] ?? '';
    expect((await browser.open(new URL(path, origin).href)).html).toContain('form_token');
  });
});

describe('an authorization request', () => {
  it.each([
    ['without a code challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['for another response type', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['for the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a resource of this host that is no endpoint', { resource: 'ORIGIN/oauth' }, 'invalid_target'],
    ['for a resource with a query', { resource: 'ORIGIN/mcp?mode=search' }, 'invalid_target'],
  ])('%s is refused', async (_what, more, error) => {
    const clientId = await registerClient(origin);
    const parameters = Object.fromEntries(
      Object.entries(more).map(([name, value]: [string, string | undefined]) => [
        name,
        value?.replace('ORIGIN', origin),
      ]),
    );
    expect(await readRefusal(createAuthorization(origin, clientId, parameters).url)).toMatchObject({ error });
  });

  it.each([
    ['https://hostile.example/callback'],
    [`${CLIENT_REDIRECT}/`],
    [`${CLIENT_REDIRECT}?a=b`],
    [`${CLIENT_REDIRECT}#a`],
    ['http://127.0.0.1:7999/CALLBACK'],
    ['http://127.0.0.1:7999/callback/../other'],
    ['http://127.0.0.1:7999/%63allback'],
    ['http://127.0.0.1:7999@hostile.example/callback'],
    ['http://127.0.0.1:7999\\@hostile.example/callback'],
    ['http://127.0.0.1.hostile.example:7999/callback'],
    ['http://localhost:7999/callback'],
    ['http://[::1]:7999/callback'],
    ['https://127.0.0.1:7999/callback'],
    ['http://127.1:7999/callback'],
    ['http://2130706433:7999/callback'],
    ['//hostile.example/callback'],
    ['javascript:alert(1)'],
  ])('with the redirect URI %s gets a page and no redirect', async (uri) => {
    const clientId = await registerClient(origin);
    const { url } = createAuthorization(origin, clientId, { redirect_uri: uri });
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it.each([
    ['of another response type', { response_type: 'token' }],
    ['that asks for a form', { response_type: 'token', response_mode: 'form_post' }],
    ['without a page', { prompt: 'none' }],
  ])('%s sends the browser to no website by itself', async (_what, more) => {
    const uri = 'https://unknown.example/callback';
    const clientId = await registerClient(origin, { redirect_uris: [uri] });
    const { url } = createAuthorization(origin, clientId, { ...more, redirect_uri: uri });
    const response = await fetch(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    const text = await response.text();
    expect(text).toContain('Go to unknown.example');
    expect(text).not.toContain('<form');
  });

  it('may use any port of a loopback redirect URI', async () => {
    const clientId = await registerClient(origin);
    const uri = 'http://127.0.0.1:50123/callback';
    const { page } = await openConsent(createAuthorization(origin, clientId, { redirect_uri: uri }).url);
    expect(page.html).toContain('127.0.0.1:50123');
  });

  it('gets a token for the endpoint of one connector, if it names that', async () => {
    const { accessToken } = await signInClient(origin, { resource: `${origin}/mcp/weather` });
    expect(decodeJwt(accessToken).aud).toBe(`${origin}/mcp/weather`);
  });
});

describe('the token endpoint', () => {
  async function authorize() {
    const clientId = await registerClient(origin);
    const { url, verifier } = createAuthorization(origin, clientId);
    const redirect = await decide(await openConsent(url));
    return { clientId, verifier, code: redirect.searchParams.get('code') ?? '' };
  }

  it('refuses a wrong code verifier, and the code stays unused', async () => {
    const request = await authorize();
    const wrong = await redeem(origin, { ...request, verifier: 'v'.repeat(43) });
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await redeem(origin, request)).status).toBe(200);
  });

  it.each([
    ['another client', async () => ({ clientId: await registerClient(origin, { client_name: 'Other' }) })],
    ['another redirect URI', () => Promise.resolve({ redirect_uri: 'http://127.0.0.1:1/callback' })],
    ['another resource', () => Promise.resolve({ resource: `${origin}/mcp/other` })],
  ])('refuses a code with %s', async (_what, change) => {
    const request = await authorize();
    const answer = await redeem(origin, { ...request, ...(await change()) });
    expect(answer.status).toBe(400);
    expect(answer.body['access_token']).toBeUndefined();
  });

  it('ends the grant when a code is used twice', async () => {
    const request = await authorize();
    const { body } = await redeem(origin, request);
    expect(await redeem(origin, request)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await refresh(origin, request.clientId, body['refresh_token'] ?? '')).toMatchObject({
      body: { error: 'invalid_grant' },
    });
  });

  it('answers invalid_client with 401 to a client that was removed, so that it registers again', async () => {
    const answer = await refresh(origin, 'removed-client', 'any-token');
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('has no other grants', async () => {
    const clientId = await registerClient(origin);
    for (const grant of ['client_credentials', 'password', 'urn:ietf:params:oauth:grant-type:device_code'])
      expect((await requestToken(origin, { grant_type: grant, client_id: clientId })).body).toMatchObject({
        error: 'unsupported_grant_type',
      });
  });

  it('ends a grant when its refresh token is revoked', async () => {
    const { clientId, refreshToken } = await signInClient(origin);
    const body = new URLSearchParams({ client_id: clientId, token: refreshToken });
    expect((await fetch(`${origin}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    expect((await refresh(origin, clientId, refreshToken)).body['error']).toBe('invalid_grant');
  });
});

describe('a registration', () => {
  it('may have web addresses and addresses of this machine, as that of VS Code', async () => {
    const redirect_uris = ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/'];
    const clientId = await registerClient(origin, { client_name: 'Visual Studio Code', redirect_uris });
    for (const redirect_uri of [redirect_uris[0]!, 'http://127.0.0.1:59656/'])
      expect((await openConsent(createAuthorization(origin, clientId, { redirect_uri }).url)).page.html).toContain(
        new URL(redirect_uri).host,
      );
  });

  it('leaves out grants that the server does not offer', async () => {
    const { body } = await register(origin, { grant_types: ['authorization_code', 'refresh_token', 'implicit'] });
    expect(body).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'] });
  });

  it.each([
    ['a redirect URI over http', { redirect_uris: ['http://client.example/'] }, 'invalid_redirect_uri'],
    ['one bad redirect URI among good ones', { redirect_uris: [CLIENT_REDIRECT, 'data:,x'] }, 'invalid_redirect_uri'],
    ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['many redirect URIs', { redirect_uris: Array(21).fill(CLIENT_REDIRECT) }, 'invalid_redirect_uri'],
    ['a name with control characters', { client_name: 'a\u202Eb' }, 'invalid_client_metadata'],
    ['grants that are no list', { grant_types: 'authorization_code' }, 'invalid_client_metadata'],
    ['a long name', { client_name: 'a'.repeat(101) }, 'invalid_client_metadata'],
    ['a sector identifier', { sector_identifier_uri: 'https://10.0.0.1/' }, 'invalid_client_metadata'],
    ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
  ])('with %s is refused', async (_what, metadata, error) => {
    expect(await register(origin, metadata)).toMatchObject({ status: 400, body: { error } });
  });

  it('that is too large is refused before it is read', async () => {
    expect(await register(origin, { client_uri: `https://client.example/${'a'.repeat(20_000)}` })).toMatchObject({
      status: 413,
    });
  });
});

describe('the limit of authorizations of one address', () => {
  it('counts requests with and without a slash at the end together', async () => {
    const { address } = await world.replica();
    const open = (path: string) => fetch(`${address}${path}`, { redirect: 'manual' });
    for (let at = 0; at < 150; at += 1)
      await Promise.all([open('/oauth/authorize'), open('/oauth/authorize/')].map(async (sent) => (await sent).text()));
    const statuses = [await open('/oauth/authorize'), await open('/oauth/authorize/')].map(({ status }) => status);
    expect(statuses).toEqual([429, 429]);
  });
});
