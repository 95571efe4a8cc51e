import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer, type TokenRequest } from '@gatehouse/testing/issuer';
import type { AuthenticationOptions } from '../src/authentication/authentication-options.ts';
import type { UseRequest } from '../src/authorization/authorizer.ts';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { createScriptedSpawner, post, runAtEnd, sendRaw, startProxy, waitUntil } from './harness.ts';
import { answerOk, ping, readBody, startPassThrough } from './passed-through.ts';

const AUDIENCE = 'mcp';
const SCOPE = 'scope="openid"';
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer({ audience: AUDIENCE });
});
afterAll(() => issuer.close());

const authenticate = (more: Partial<AuthenticationOptions> = {}): AuthenticationOptions => ({
  ...{ issuer: issuer.issuer, audience: AUDIENCE, allowPrivateAddresses: true },
  ...more,
});

/** A proxy with authentication in front of a server that records its requests. */
const start = (more: Partial<AuthenticationOptions> = {}, options: Partial<ProxyOptions> = {}, handle = answerOk) =>
  startPassThrough(handle, { authentication: authenticate(more), ...options });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Posts a ping with a token, and reads the status, the challenge and the error. */
async function call(url: string, token: string | undefined, headers: Record<string, string> = {}) {
  const response = await post(url, ping, { ...(token !== undefined && bearer(token)), ...headers });
  const body = (await response.json()) as { error?: string; error_description?: string };
  return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '', body };
}

/** Tokens of wrong kinds, and how the proxy answers them. */
const WRONG_TOKENS: readonly [string, () => Promise<string> | string][] = [
  ['is expired', () => issuer.token({ expiresIn: -61 })],
  ['is not valid yet', () => issuer.token({ notBefore: 120 })],
  ['is of another issuer', () => issuer.token({ issuer: 'https://id.example.test' })],
  ['has no issuer', () => issuer.token({ claims: { iss: undefined } })],
  ['is for another audience', () => issuer.token({ audience: 'other' })],
  ['has no audience', () => issuer.token({ claims: { aud: undefined } })],
  ['has no subject', () => issuer.token({ claims: { sub: undefined } })],
  ['has no expiry', () => issuer.token({ claims: { exp: undefined } })],
  ['is not signed', () => `${encode({ alg: 'none' })}.${encode(createClaims())}.`],
  ['is signed with the public key as a secret', forgeWithPublicKey],
  ['names an unknown key', () => issuer.token({ header: { kid: 'unknown' } })],
  ['names a key in its own header', () => issuer.token({ header: { kid: 'x', jku: 'http://127.0.0.1:1/jwks' } })],
  ['has the type of another kind', () => issuer.token({ header: { typ: 'logout+jwt' } })],
  ['is an ID token', () => issuer.token({ header: { typ: 'JWT' }, claims: { nonce: 'n', at_hash: 'h' } })],
  ['is a refresh token', () => issuer.token({ claims: { typ: 'Refresh' } })],
  ['is truncated', async () => (await issuer.token()).slice(0, -20)],
  ['has a changed payload', async () => (await issuer.token()).replace(/\.[^.]+\./, `.${encode(createClaims())}.`)],
  ['is no JWT', () => 'opaque-token'],
  ['is too long', () => 'x'.repeat(9_000)],
  ['has critical extensions', () => issuer.token({ header: { crit: ['x'], x: 1 } }).catch(() => 'e30.e30.e30')],
];

const createClaims = () => ({ iss: issuer.issuer, aud: AUDIENCE, sub: 'admin', exp: 4_102_444_800 });

function forgeWithPublicKey(): string {
  const [key] = issuer.keys();
  const input = `${encode({ alg: 'HS256', kid: key?.kid, typ: 'at+jwt' })}.${encode(createClaims())}`;
  return `${input}.${createHmac('sha256', JSON.stringify(key)).update(input).digest('base64url')}`;
}

describe('Authentication', () => {
  it('takes the caller from the token, which does not reach the server', async () => {
    const events: { subjects: object }[] = [];
    const audit = { component: 'x', write: (line: string) => void events.push(JSON.parse(line) as never) };
    const { url, requests } = await start({}, { audit });
    const token = await issuer.token({ subject: 'alice', name: 'Alice' });
    for (const scheme of ['Bearer', 'bearer'])
      expect((await call(url, undefined, { authorization: `${scheme} ${token}` })).status).toBe(200);
    expect(requests).toHaveLength(2);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    await waitUntil(
      () => events.length,
      (count) => count === 2,
    );
    expect(events[0]).toMatchObject({ subjects: { user: 'Alice', user_id: 'alice' } });
  });

  it('reads the token of each request on a connection', async () => {
    const authorizer = { allows: ({ claims }: UseRequest) => claims?.['sub'] === 'alice' };
    const { url, port } = await start({}, { authorizer });
    const [alice, bob] = [await issuer.token({ subject: 'alice' }), await issuer.token({ subject: 'bob' })];
    for (const token of [alice, bob]) expect((await call(url, token)).status).toBe(200);
    const message = JSON.stringify({ ...ping, method: 'tools/call', params: { name: 'x' } });
    const requests = [alice, alice, bob, `${alice}x`, alice].map((token, at, { length }) =>
      [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${message.length}`,
        `Authorization: Bearer ${token}`,
        ...(at === length - 1 ? ['Connection: close'] : []),
        '',
        message,
      ].join('\r\n'),
    );
    const answers = await sendRaw(port, requests.join(''));
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      ...['200', '200', '403', '401', '200'],
    ]);
  });

  it.each(WRONG_TOKENS)('refuses a token that %s with 401', async (_, create) => {
    const { url, requests } = await start();
    const { status, challenge, body } = await call(url, await create());
    expect(status).toBe(401);
    expect(challenge).toMatch(new RegExp(`^Bearer realm="${issuer.issuer}", resource_metadata="[^"]+", ${SCOPE}, `));
    expect(challenge).toMatch(/, error="invalid_token", error_description="Invalid token: [^"]+"$/);
    expect(body).toMatchObject({ error: 'invalid_token', error_description: expect.any(String) });
    expect(requests).toEqual([]);
  });

  it.each<[string, string, Record<string, string>]>([
    ['no credentials', '', {}],
    ['a token in the query only', '?access_token=TOKEN', {}],
    ['another scheme', '', { authorization: 'Basic YTpi' }],
    ['the token without its scheme', '', { authorization: 'TOKEN' }],
  ])('answers %s with 401 and a challenge without an error', async (_, query, headers) => {
    const { url, requests } = await start();
    const token = await issuer.token();
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)] as const);
    const answered = await call(url + query.replace('TOKEN', token), undefined, Object.fromEntries(filled));
    const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;
    expect(answered).toMatchObject({
      status: 401,
      challenge: `Bearer realm="${issuer.issuer}", resource_metadata="${metadata}", ${SCOPE}`,
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['two Authorization headers', ['Authorization: Bearer TOKEN', 'Authorization: Bearer TOKEN'], ''],
    ['a second header of another scheme', ['Authorization: Bearer TOKEN', 'authorization: Basic YTpi'], ''],
    ['two tokens in one header', ['Authorization: Bearer TOKEN, Bearer TOKEN'], ''],
    ['an empty token', ['Authorization: Bearer '], ''],
    ['a token in the query too', ['Authorization: Bearer TOKEN'], '?a=b&access_token=x'],
  ])('answers %s with 400', async (_, lines, query) => {
    const { port, requests } = await start();
    const token = await issuer.token();
    const head = ['POST /mcp' + query + ' HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: close', ...lines];
    const received = await sendRaw(
      port,
      `${head.join('\r\n').replaceAll('TOKEN', token)}\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('error="invalid_request"');
    expect(requests).toEqual([]);
  });

  it('verifies tokens of new keys, and asks for unknown keys rarely', async () => {
    const own = await startIssuer({ audience: AUDIENCE });
    runAtEnd(() => own.close());
    const { url } = await start({ issuer: own.issuer });
    expect((await call(url, await own.token())).status).toBe(200);
    await own.rotate({ keepOld: true });
    expect((await call(url, await own.token())).status).toBe(200);
    const before = own.jwksRequests;
    for (let at = 0; at < 20; at += 1)
      expect((await call(url, await own.token({ header: { kid: `k${at}` } }))).status).toBe(401);
    expect(own.jwksRequests - before).toBeLessThanOrEqual(1);
  });

  it('answers 503 while the issuer does not answer, without a challenge', async () => {
    const own = await startIssuer({ audience: AUDIENCE });
    const { url, requests, lines } = await start({ issuer: own.issuer });
    const token = await own.token();
    await own.close();
    expect(await call(url, token)).toMatchObject({ status: 503, challenge: '' });
    expect(requests).toEqual([]);
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('cannot be verified') }]);
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  it.each<[string, Partial<AuthenticationOptions>, RegExp]>([
    ['private addresses', { allowPrivateAddresses: false }, /is this machine itself/],
    ['http to another host', { issuer: 'http://id.example.test' }, /must be called over https/],
    ['link-local addresses, in any case', { jwksUrl: 'https://169.254.169.254/jwks' }, /never called/],
  ])('refuses %s', async (_, options, problem) => {
    const { url, lines } = await start({ ...options, ...(options.issuer && { jwksUrl: `${options.issuer}/jwks` }) });
    expect((await call(url, await issuer.token({ ...(options.issuer && { issuer: options.issuer }) }))).status).toBe(
      503,
    );
    expect(lines[0]?.message).toMatch(problem);
  });

  it('sends the token of a file with requests for keys, as it is at that time', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-token-')), 'token');
    const seen: unknown[] = [];
    const jwksUrl = await serveOnce((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: issuer.keys() }));
    });
    const { url } = await start({ jwksUrl, tokenFile: file });
    expect((await call(url, await issuer.token())).status).toBe(503);
    writeFileSync(file, 'first\n');
    await waitUntil(
      async () => (await call(url, await issuer.token())).status,
      (status) => status === 200,
    );
    expect(seen).toEqual(['Bearer first']);
  });

  it('accepts tokens of every issuer and audience where only the keys are configured', async () => {
    const { url } = await startPassThrough(answerOk, {
      authentication: { jwksUrl: issuer.jwksUri, allowPrivateAddresses: true },
    });
    for (const request of [{ issuer: 'https://one.example.test' }, { audience: 'other' }] satisfies TokenRequest[])
      expect((await call(url, await issuer.token(request))).status).toBe(200);
    expect((await call(url, forgeWithPublicKey())).status).toBe(401);
  });

  it('names the configured address in metadata and challenges', async () => {
    const resourceUrl = 'https://mcp.example.com/tools/mcp';
    const { url } = await start({ resourceUrl, scopes: ['a', 'b'] });
    const origin = 'https://mcp.example.com/.well-known/oauth-protected-resource';
    expect((await call(url, undefined)).challenge).toContain(`resource_metadata="${origin}/tools/mcp", scope="a b"`);
    for (const path of ['', '/tools/mcp', '/mcp']) {
      const response = await fetch(new URL(`/.well-known/oauth-protected-resource${path}`, url));
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(await response.json()).toEqual({
        resource: resourceUrl,
        authorization_servers: [issuer.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['a', 'b'],
      });
    }
  });

  it('answers for its metadata alone below /.well-known/, without a token and never from the server', async () => {
    const { url, requests } = await start();
    const ask = (path: string, method = 'GET') => fetch(new URL(`/.well-known/${path}`, url), { method });
    const statuses = async (...asked: Promise<Response>[]) => (await Promise.all(asked)).map(({ status }) => status);
    const metadata = 'oauth-protected-resource';
    expect(await statuses(ask(metadata), ask(metadata, 'HEAD'), ask(metadata, 'OPTIONS'))).toEqual([200, 200, 204]);
    expect(await statuses(ask(metadata, 'POST'), ask(`${metadata}x`), ask('openid-configuration'))).toEqual([
      405, 404, 404,
    ]);
    expect(requests).toEqual([]);
    const open = await startPassThrough(answerOk);
    expect((await fetch(new URL(`/.well-known/${metadata}`, open.url))).status).toBe(404);
  });

  it('asks the introspection endpoint about opaque tokens, as its client', async () => {
    const seen: { authorization: unknown; form: URLSearchParams }[] = [];
    let answer: object | string = {};
    const introspectionUrl = await serveOnce(async (request, response) => {
      seen.push({ authorization: request.headers.authorization, form: new URLSearchParams(await readBody(request)) });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
    const { url, requests, lines } = await start({ introspectionUrl, clientId: 'proxy', clientSecret: 'hidden' });
    const active = { active: true, ...createClaims(), sub: 'alice' };
    const outcomes: [object | string, number][] = [
      [active, 200],
      [{ active: false }, 401],
      [{ ...active, iss: 'https://other.example.com' }, 401],
      [{ ...active, aud: 'other' }, 401],
      [{ ...active, exp: 1 }, 401],
      [{ ...active, exp: undefined }, 401],
      ['<html>', 503],
      ['x'.repeat(70_000), 503],
    ];
    for (const [at, [given, status]] of outcomes.entries()) {
      answer = given;
      expect([given, (await call(url, `opaque-${at}`)).status]).toEqual([given, status]);
    }
    expect(requests).toHaveLength(1);
    expect(seen[0]).toEqual({ authorization: `Basic ${btoa('proxy:hidden')}`, form: expect.any(URLSearchParams) });
    expect(Object.fromEntries(seen[0]!.form)).toEqual({ token: 'opaque-0', token_type_hint: 'access_token' });
    expect(JSON.stringify(lines)).not.toMatch(/opaque-|hidden/);
    expect((await call(url, await issuer.token())).status).toBe(200);
    expect(seen).toHaveLength(outcomes.length);
  });

  it('binds sessions to their subject: others get 404, and a process of their own', async () => {
    const { openProcess, children } = createScriptedSpawner();
    const { url } = await startProxy({ upstream: { kind: 'stdio', openProcess }, authentication: authenticate() });
    const [alice, bob] = [await issuer.token({ subject: 'alice' }), await issuer.token({ subject: 'bob' })];
    const open = async (token: string) => {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, bearer(token));
      await response.text();
      return response.headers.get('mcp-session-id')!;
    };
    const session = await open(alice);
    const use = async (token: string, id: string) => (await call(url, token, { 'mcp-session-id': id })).status;
    expect([await use(alice, session), await use(bob, session)]).toEqual([200, 404]);
    expect(await use(bob, await open(bob))).toBe(200);
    expect(children).toHaveLength(2);
    expect(await use(await issuer.token({ subject: 'alice' }), session)).toBe(200);
  });

  it('does not forward the request of a client that left during the verification', async () => {
    let release: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (release = resolve));
    const jwksUrl = await serveOnce((_, response) => {
      release();
      setTimeout(() => response.end(JSON.stringify({ keys: issuer.keys() })), 50);
    });
    const { url, requests } = await start({ jwksUrl });
    const abort = new AbortController();
    const left = post(url, ping, bearer(await issuer.token()), abort.signal).catch(() => 'left');
    await asked;
    abort.abort();
    expect(await left).toBe('left');
    expect((await call(url, await issuer.token())).status).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it('forwards the Authorization header as it came where no authentication is configured', async () => {
    const { url, requests } = await startPassThrough(answerOk, { localUser: 'ada' });
    expect((await call(url, 'for-the-server')).status).toBe(200);
    expect(requests[0]?.headers.authorization).toBe('Bearer for-the-server');
  });

  it.each<[string, AuthenticationOptions]>([
    ['no issuer and no keys', { audience: 'x' }],
    ['an issuer that is no URL', { issuer: 'id' }],
  ])('cannot be configured with %s', async (_, authentication) => {
    await expect(startPassThrough(answerOk, { authentication })).rejects.toMatchObject({
      code: 'invalid_proxy_option',
    });
  });
});

/** Starts a server until the end of the test. */
async function serveOnce(handle: (...args: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  runAtEnd(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
}
