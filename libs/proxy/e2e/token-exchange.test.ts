import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExchangeServer, type ExchangeRules } from '@gatehouse/testing/exchange-server';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { ExchangedTokens } from '../src/authentication/exchanged-tokens.ts';
import type { TokenExchangeOptions } from '../src/authentication/token-exchange-options.ts';
import { createScriptedSpawner, post, runAtEnd, startProxy } from './harness.ts';
import { answerOk, ping, startPassThrough } from './passed-through.ts';

const CLIENT = { id: 'proxy', secret: 'pass:word+1', method: 'client_secret_basic' as const };

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer({ audience: 'mcp' });
});
afterAll(() => issuer.close());

/** Starts a token endpoint that verifies the tokens of the issuer. */
async function startEndpoint(rules: Partial<ExchangeRules> = {}) {
  const trusted = () => ({ issuer: issuer.issuer, keys: issuer.keys() });
  const endpoint = await ExchangeServer.start({ trusted, client: CLIENT, ...rules });
  runAtEnd(() => endpoint.close());
  return endpoint;
}

const createOptions = (endpoint: ExchangeServer, more: Partial<TokenExchangeOptions> = {}): TokenExchangeOptions => ({
  ...{ tokenUrl: `${endpoint.origin}/token`, allowPrivateAddresses: true },
  ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret },
  ...more,
});

const authentication = () => ({ issuer: issuer.issuer, audience: 'mcp', allowPrivateAddresses: true });

/** Starts a proxy that exchanges tokens, in front of a server that records its requests. */
async function start(rules: Partial<ExchangeRules> = {}, more: Partial<TokenExchangeOptions> = {}) {
  const endpoint = await startEndpoint(rules);
  const tokenExchange = createOptions(endpoint, more);
  return { endpoint, ...(await startPassThrough(answerOk, { authentication: authentication(), tokenExchange })) };
}

async function call(url: string, token: string, headers: Record<string, string> = {}) {
  const response = await post(url, ping, { authorization: `Bearer ${token}`, ...headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

describe('Token exchange', () => {
  it('gives the server a token for the caller, and exchanges each token once', async () => {
    const rules = { audience: 'https://api.example.test', scope: 'read write' };
    const { endpoint, url, requests } = await start(rules, { audience: rules.audience, scopes: ['read', 'write'] });
    const [alice, bob] = [await issuer.token({ subject: 'alice' }), await issuer.token({ subject: 'bob' })];
    const results = await Promise.all([alice, alice, alice, bob].map((token) => call(url, token)));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call(url, alice)).status).toBe(200);
    expect(endpoint.requests).toHaveLength(2);
    const subjects = requests.map(({ headers }) => endpoint.issued.get(headers.authorization!.slice(7))?.subject);
    expect(subjects.toSorted()).toEqual(['alice', 'alice', 'alice', 'alice', 'bob']);
    expect(Object.fromEntries(endpoint.requests[0]!.form)).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
  });

  it('sends the token in another header, and neither that of the client nor its value of the header', async () => {
    const { url, requests } = await start({}, { headerName: 'X-Upstream-Token' });
    expect((await call(url, await issuer.token(), { 'x-upstream-token': 'forged' })).status).toBe(200);
    const { headers } = requests[0]!;
    expect(headers['x-upstream-token']).toMatch(/^Bearer [0-9a-f-]{36}$/);
    expect(headers.authorization).toBeUndefined();
  });

  it('takes ID tokens where the endpoint needs them', async () => {
    const idToken = await issuer.token({ claims: { nonce: 'n' } });
    const type = 'urn:ietf:params:oauth:token-type:id_token';
    const endpoint = await startEndpoint({ subjectTokenType: type });
    const { url } = await startPassThrough(answerOk, {
      authentication: { ...authentication(), acceptsIdTokens: true },
      tokenExchange: createOptions(endpoint, { subjectTokenType: 'id_token' }),
    });
    expect((await call(url, idToken)).status).toBe(200);
  });

  it('is not reached without a valid token', async () => {
    const { endpoint, url, requests } = await start();
    expect((await call(url, await issuer.token({ audience: 'other' }))).status).toBe(401);
    expect([endpoint.requests, requests]).toEqual([[], []]);
  });

  it.each<[string, object, number]>([
    ['an invalid token of the caller', { status: 400, body: { error: 'invalid_grant' } }, 401],
    ['a refused target', { status: 400, body: { error: 'invalid_target' } }, 502],
    ['wrong client credentials', { status: 401, body: { error: 'invalid_client' } }, 502],
    ['an error of the endpoint', { status: 500, body: { error: 'server_error' } }, 502],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 502],
    ['no JSON', { type: 'text/html', body: '<html>' }, 502],
    ['a token that no header can carry', { body: { access_token: 'a b', token_type: 'Bearer' } }, 502],
    ['a token of another type', { body: { access_token: 'a', token_type: 'DPoP' } }, 502],
  ])('answers after %s without a request to the server', async (_, answer, expected) => {
    const { endpoint, url, requests, lines } = await start();
    endpoint.answer = answer;
    const token = await issuer.token();
    const { status, headers, body } = await call(url, token);
    expect(status).toBe(expected);
    expect(headers.has('www-authenticate')).toBe(expected === 401);
    expect(body).toContain('Token exchange failed');
    expect(requests).toEqual([]);
    expect(JSON.stringify(lines) + body).not.toMatch(new RegExp(`${token.slice(0, 20)}|pass:word`));
    endpoint.answer = undefined;
    expect((await call(url, token)).status).toBe(200);
  });

  it('refuses an endpoint on a private address unless it is allowed', async () => {
    const { url, lines } = await start({}, { allowPrivateAddresses: false });
    expect((await call(url, await issuer.token())).status).toBe(502);
    expect(lines[0]?.message).toContain('is this machine itself');
  });

  it('keeps a token until shortly before its expiry, and a bounded number of them', async () => {
    const endpoint = await startEndpoint();
    let now = Date.now();
    const tokens = new ExchangedTokens(createOptions(endpoint), () => now, 3);
    const subject = await issuer.token();
    const first = await tokens.get(subject);
    now += 269_000;
    expect(await tokens.get(subject)).toBe(first);
    now += 1_000;
    expect(tokens.recall(subject)).toBeUndefined();
    endpoint.lifetime = undefined;
    const second = await tokens.get(subject);
    expect(second).not.toBe(first);
    now += 54_000;
    expect(tokens.recall(subject)).toBeUndefined();
    endpoint.answer = { body: { access_token: 'same', token_type: 'Bearer', expires_in: 60 } };
    for (let at = 0; at < 5; at += 1) await tokens.get(`subject-${at}`);
    expect(tokens.size).toBe(3);
  });

  it('cannot be configured without authentication, for a stdio server or with a header of the connection', async () => {
    const endpoint = await startEndpoint();
    const tokenExchange = createOptions(endpoint);
    const fails = { code: 'invalid_proxy_option' };
    await expect(startPassThrough(answerOk, { tokenExchange })).rejects.toMatchObject(fails);
    const { openProcess } = createScriptedSpawner();
    await expect(
      startProxy({ upstream: { kind: 'stdio', openProcess }, authentication: authentication(), tokenExchange }),
    ).rejects.toMatchObject(fails);
    for (const change of [{ headerName: 'Host' }, { headerName: 'a b' }, { tokenUrl: 'token' }])
      await expect(
        startPassThrough(answerOk, {
          authentication: authentication(),
          tokenExchange: { ...tokenExchange, ...change },
        }),
      ).rejects.toMatchObject(fails);
  });
});
