import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, hiddenField } from '@gatehouse/testing/form-browser';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { request } from 'node:http';
import * as oidc from 'openid-client';
import { type Issuer, startIdentityProvider } from './identity-provider.ts';

const AUDIENCE = 'urn:gatehouse:local';
const CALLBACK = 'http://127.0.0.1:1/callback';
let idp: Issuer;

beforeAll(async () => {
  idp = await startIdentityProvider();
});
afterAll(() => idp.remove());

const discover = (clientId: string, secret?: string): Promise<oidc.Configuration> =>
  oidc.discovery(
    new URL(idp.issuer),
    clientId,
    undefined,
    secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret),
    {
      execute: [oidc.allowInsecureRequests],
    },
  );

const verify = async (token: string, audience = AUDIENCE) =>
  (
    await jwtVerify(token, createRemoteJWKSet(new URL(`${idp.issuer}/jwks`)), {
      issuer: idp.issuer,
      audience,
      typ: 'at+jwt',
    })
  ).payload;

/**
 * Signs a user in with the code flow.
 * @returns the redirect to the client, and `finish` for the tokens
 */
async function signIn(
  name: string,
  options: { clientId?: string; redirectUri?: string; scope?: string; extra?: Record<string, string> } = {},
) {
  const {
    clientId = 'gatehouse-cli',
    redirectUri = CALLBACK,
    scope = 'openid profile email offline_access',
    extra = {},
  } = options;
  const config = await discover(clientId);
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    prompt: 'consent',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...extra,
  });
  const browser = new Browser();
  const page = await browser.open(url.href);
  const landed = await browser.submit(page.url, { login: name, password: idp.password(name) }, redirectUri);
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  return {
    config,
    browser,
    landed,
    finish: (from = landed) => oidc.authorizationCodeGrant(config, new URL(from.url), checks),
  };
}

describe('the code flow', () => {
  it('issues an access token with the claims of the user, signed by a published key', async () => {
    const { finish } = await signIn('alice');
    const tokens = await finish();
    const claims = await verify(tokens.access_token);
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(claims).toMatchObject({
      email: 'alice@example.test',
      name: 'Alice',
      groups: [],
      roles: ['user'],
      aud: AUDIENCE,
    });
    expect(claims.sub).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(tokens.claims()).toMatchObject({
      sub: claims.sub,
      email: 'alice@example.test',
      preferred_username: 'alice',
    });
  });

  it('keeps the subject in every sign-in and flow', async () => {
    const [first, second] = [await (await signIn('bob')).finish(), await idp.localToken({ user: 'bob' })];
    expect(decodeJwt(first.access_token).sub).toBe(decodeJwt(second).sub);
  });

  it('shows the form with the name again after a wrong password, without a session', async () => {
    const config = await discover('gatehouse-cli');
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const browser = new Browser();
    const page = await browser.open(url.href);
    const failed = await browser.submit(
      page.url,
      { login: '"><script>alert(1)</script>', password: 'wrong' },
      CALLBACK,
    );
    expect(failed.status).toBe(401);
    expect(failed.html).not.toContain('<script>');
    expect(failed.html).toContain('role="alert"');
    const again = await browser.open(url.href, CALLBACK);
    expect(again.html).toContain('name="password"');
  });

  it.each([
    ['alice', ''],
    ['', 'x'],
    ['unknown', 'x'],
    ['toString', 'x'],
  ])('refuses the login %j with the password %j', async (login, password) => {
    const config = await discover('gatehouse-cli');
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const browser = new Browser();
    const page = await browser.open(url.href);
    expect((await browser.submit(page.url, { login, password }, CALLBACK)).status).toBe(401);
  });

  it('returns an error to the client when the user cancels', async () => {
    const config = await discover('gatehouse-cli');
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const browser = new Browser();
    const page = await browser.open(url.href);
    const landed = await browser.submit(page.url, { cancel: 'yes' }, CALLBACK);
    expect(new URL(landed.url).searchParams.get('error')).toBe('access_denied');
  });

  it('does not let another browser finish an interaction', async () => {
    const config = await discover('gatehouse-cli');
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const page = await new Browser().open(url.href);
    const stolen = await new Browser().submit(page.url, { login: 'alice', password: idp.password('alice') }, CALLBACK);
    expect(stolen.status).toBe(400);
  });

  it.each([
    ['no PKCE', { redirect_uri: CALLBACK }, 'invalid_request'],
    [
      'plain PKCE',
      { redirect_uri: CALLBACK, code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    [
      'an unknown resource',
      {
        redirect_uri: CALLBACK,
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        resource: 'https://evil.test/',
      },
      'invalid_target',
    ],
  ])('answers %s with an error at the client', async (_, parameters, error) => {
    const url = oidc.buildAuthorizationUrl(await discover('gatehouse-cli'), { scope: 'openid', ...parameters });
    const landed = await new Browser().open(url.href, CALLBACK);
    expect(new URL(landed.url).searchParams.get('error')).toBe(error);
  });

  it('never redirects to an address that the client did not register', async () => {
    const url = oidc.buildAuthorizationUrl(await discover('gatehouse-cli'), {
      redirect_uri: 'https://evil.test/',
      scope: 'openid',
    });
    const page = await new Browser().open(url.href, 'https://evil.test');
    expect(page.status).toBe(400);
    expect(page.html).toContain('invalid_redirect_uri');
  });

  it('serves pages without scripts that cannot be framed', async () => {
    const url = oidc.buildAuthorizationUrl(await discover('gatehouse-cli'), {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const page = await new Browser().open(url.href);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'none'; style-src 'sha256-[^']+'; frame-ancestors 'none'/,
    );
    expect(page.html).not.toMatch(/<script|\son\w+=/i);
  });

  it('accepts each authorization code once', async () => {
    const { finish } = await signIn('carol');
    await finish();
    await expect(finish()).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('keeps the session of the command line when the browser signs out', async () => {
    // A provider ignores offline_access without prompt=consent (OpenID Connect Core, section 11).
    const { config, browser, finish } = await signIn('carol', { extra: { prompt: 'login' } });
    const tokens = await finish();
    const end = `${idp.issuer}/session/end`;
    const question = await browser.open(end);
    const done = await browser.submit(`${end}/confirm`, { xsrf: hiddenField(question.html, 'xsrf'), logout: 'yes' });
    expect(done.html).toContain('Signed out');
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).access_token).toBeDefined();
  });

  it('ends the session of a command line that revokes its refresh token (RFC 7009)', async () => {
    const { config, finish } = await signIn('carol');
    const { refresh_token: token = '' } = await finish();
    await oidc.tokenRevocation(config, token, { token_type_hint: 'refresh_token' });
    await expect(oidc.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('the device flow', () => {
  it('signs a terminal in through a browser', async () => {
    const config = await discover('gatehouse-cli');
    const device = await oidc.initiateDeviceAuthorization(config, { scope: 'openid offline_access' });
    await expect(
      oidc.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:device_code', {
        device_code: device.device_code,
      }),
    ).rejects.toMatchObject({ error: 'authorization_pending' });
    const browser = new Browser();
    const confirm = await enterCode(browser, device.verification_uri, device.user_code);
    expect(confirm.html).toContain(device.user_code);
    const login = await browser.submit(device.verification_uri, {
      xsrf: hiddenField(confirm.html, 'xsrf'),
      user_code: device.user_code,
      confirm: 'yes',
    });
    const done = await browser.submit(login.url, { login: 'auditor', password: idp.password('auditor') });
    expect(done.html).toContain('Signed in');
    const tokens = await oidc.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    expect(await verify(tokens.access_token)).toMatchObject({ roles: ['auditor'] });
    expect(tokens.refresh_token).toBeDefined();
  });

  it('refuses an unknown code', async () => {
    const { device_authorization_endpoint: endpoint } = (await discover('gatehouse-cli')).serverMetadata();
    expect(endpoint).toBeDefined();
    expect((await enterCode(new Browser(), `${idp.issuer}/device`, 'AAAA-AAAA')).html).toContain('not known');
  });

  async function enterCode(browser: Browser, uri: string, code: string) {
    const page = await browser.open(uri);
    return browser.submit(uri, { xsrf: hiddenField(page.html, 'xsrf'), user_code: code });
  }
});

describe('service clients', () => {
  it('get a token with the role gateway for their secret', async () => {
    const config = await discover('connector-gateway', idp.clientSecret('connector-gateway'));
    const claims = await verify((await oidc.clientCredentialsGrant(config)).access_token);
    expect(claims).toMatchObject({
      roles: ['gateway'],
      groups: [],
      name: 'connector-gateway',
      client_id: 'connector-gateway',
    });
    expect(claims.sub).toMatch(/^[0-9a-f-]{36}$/);
    expect(claims['email']).toBeUndefined();
  });

  it('get no token for a wrong secret, and public clients get none without a sign-in', async () => {
    const wrong = await discover('connector-gateway', 'wrong');
    await expect(oidc.clientCredentialsGrant(wrong)).rejects.toMatchObject({ status: 401 });
    await expect(oidc.clientCredentialsGrant(await discover('gatehouse-cli'))).rejects.toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('not allowed'),
    });
  });
});

describe('token exchange', () => {
  const exchange = async (subjectToken: string, parameters: Record<string, string> = {}) =>
    oidc.genericGrantRequest(
      await discover('connector-gateway', idp.clientSecret('connector-gateway')),
      'urn:ietf:params:oauth:grant-type:token-exchange',
      {
        subject_token: subjectToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        ...parameters,
      },
    );

  it('issues a token of the same user for another audience, with the service as actor', async () => {
    const alice = await idp.localToken({ user: 'alice' });
    const response = await exchange(alice, { audience: 'https://upstream.test' });
    const claims = await verify(response.access_token, 'https://upstream.test');
    expect(claims).toMatchObject({
      sub: decodeJwt(alice).sub,
      email: 'alice@example.test',
      client_id: 'connector-gateway',
    });
    expect(claims['act']).toEqual({ sub: decodeJwt(await idp.localToken({ client: 'connector-gateway' })).sub });
  });

  it('keeps earlier actors in a token that is exchanged again', async () => {
    const once = await exchange(await idp.localToken({ user: 'alice' }));
    const twice = await exchange(once.access_token);
    const gateway = decodeJwt(await idp.localToken({ client: 'connector-gateway' })).sub;
    expect(decodeJwt(twice.access_token)['act']).toEqual({ sub: gateway, act: { sub: gateway } });
  });

  it('never extends the lifetime', async () => {
    const short = await idp.localToken({ user: 'alice', ttl_seconds: 30 });
    expect(decodeJwt((await exchange(short)).access_token).exp).toBeLessThanOrEqual(decodeJwt(short).exp ?? 0);
  });

  it('refuses tokens of other issuers and audiences', async () => {
    const foreign = await idp.localToken({ user: 'alice', audience: 'https://upstream.test' });
    const alice = await idp.localToken({ user: 'alice' });
    const [head, , signature] = alice.split('.') as [string, string, string];
    const forged = `${head}.${Buffer.from(JSON.stringify({ ...decodeJwt(alice), sub: 'admin' })).toString('base64url')}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${alice.split('.')[1] ?? ''}.`;
    for (const token of [foreign, forged, unsigned, 'x', '']) {
      await expect(exchange(token)).rejects.toMatchObject({
        error: expect.stringMatching(/^invalid_(grant|request)$/),
      });
    }
  });

  it('is not available to public clients', async () => {
    const alice = await idp.localToken({ user: 'alice' });
    const body = { subject_token: alice, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    await expect(
      oidc.genericGrantRequest(
        await discover('gatehouse-cli'),
        'urn:ietf:params:oauth:grant-type:token-exchange',
        body,
      ),
    ).rejects.toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('not allowed') });
  });
});

describe('dynamic registration', () => {
  it('registers a client, and asks the user for consent before its first token', async () => {
    const redirect = 'http://127.0.0.1:7777/cb';
    const client = await oidc.dynamicClientRegistration(
      new URL(idp.issuer),
      {
        client_name: '<b>Tool</b>',
        redirect_uris: [redirect],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      },
      oidc.None(),
      { execute: [oidc.allowInsecureRequests] },
    );
    const { client_id: clientId } = client.clientMetadata();
    const { browser, landed, finish } = await signIn('alice', { clientId, redirectUri: redirect, scope: 'openid' });
    expect(landed.html).toContain('Allow &#60;b&#62;Tool');
    expect(landed.html).toContain(redirect);
    const allowed = await browser.submit(landed.url, { consent: 'yes' }, redirect);
    const tokens = await finish(allowed);
    expect(await verify(tokens.access_token)).toMatchObject({ email: 'alice@example.test' });
    expect(tokens.refresh_token).toBeDefined();
  });

  it.each([['urn:ietf:params:oauth:grant-type:token-exchange'], ['client_credentials'], ['implicit'], ['password']])(
    'refuses a registration with the grant %s',
    async (grant) => {
      const response = await fetch(`${idp.issuer}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          redirect_uris: ['http://127.0.0.1:7777/cb'],
          grant_types: ['authorization_code', grant],
          response_types: ['code'],
        }),
      });
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_client_metadata' }),
      ]);
    },
  );

  it('refuses to add grants to a registered client', async () => {
    const metadata = { redirect_uris: ['http://127.0.0.1:7777/cb'], client_name: 'Tool' };
    const send = async (url: string, method: string, body: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const { body: client } = await send(`${idp.issuer}/reg`, 'POST', metadata);
    const { client_id, client_secret, registration_client_uri, registration_access_token } = client;
    const extended = {
      ...metadata,
      client_id,
      client_secret,
      grant_types: ['authorization_code', 'client_credentials'],
    };
    const refused = await send(registration_client_uri!, 'PUT', extended, registration_access_token);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
  });

  it('issues the audience of the platform for every resource that is a URL of the platform', async () => {
    const { finish } = await signIn('alice', { extra: { resource: idp.mcpUrl } });
    expect(await verify((await finish()).access_token)).toMatchObject({ aud: AUDIENCE });
  });
});

describe('local tokens', () => {
  it('need the secret of the home', async () => {
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', 'Basic eDp4']) {
      const response = await idp.requestLocalToken({ user: 'admin' }, authorization);
      expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('local secret')]);
    }
  });

  it.each([
    [{}, 400],
    [{ user: 'alice', client: 'ai-gateway' }, 400],
    [{ user: 1 }, 400],
    [{ user: 'alice', ttl_seconds: 0 }, 400],
    [{ user: 'alice', ttl_seconds: 86_401 }, 400],
    [{ user: 'alice', ttl_seconds: 1.5 }, 400],
    [{ user: 'alice', audience: '' }, 400],
    [{ user: 'unknown' }, 404],
    [{ client: 'gatehouse-cli' }, 404],
    [{ user: '__proto__' }, 404],
  ])('refuse %j', async (body, status) => {
    const response = await idp.requestLocalToken(body);
    expect(response.status).toBe(status);
    await response.text();
  });
});

describe('a restart of the provider', () => {
  it('keeps refresh tokens, keys, registered clients and sessions', async () => {
    const { browser, config, finish } = await signIn('carol');
    const tokens = await finish();
    await idp.killAndRestart();
    expect(await verify(tokens.access_token)).toMatchObject({ email: 'carol@example.test' });
    const fresh = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(await verify(fresh.access_token)).toMatchObject({ email: 'carol@example.test' });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    expect((await browser.open(url.href, CALLBACK)).url).toContain('code=');
  });
});

describe('the environment of the identity provider', () => {
  it('refuses a request for another host name (DNS rebinding)', async () => {
    const status = await new Promise((resolve, reject) => {
      request(`${idp.issuer}/.well-known/openid-configuration`, { headers: { host: 'evil.test' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'NODE_ENV'],
    [{ HOST: '0.0.0.0' }, '127.0.0.1 only'],
    [{ HOST: '::' }, '127.0.0.1 only'],
  ])('refuses to start with %j', async (env, sentence) => {
    const { code, stderr } = await idp.tryStart(env);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
