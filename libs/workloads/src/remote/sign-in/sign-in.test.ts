import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { RunConfigSchema } from '../../configuration/run-config.ts';
import type { RemoteAuthConfig } from '../../flags/remote-sections.ts';
import { planSignIn } from './plan-sign-in.ts';
import type { SignInBrowser } from '../../runtime/sign-in-browser.ts';
import { signIn, type SignInParts } from './sign-in.ts';

let issuer: TestIssuer;
let server: string;
let servers: Server[];
/** The metadata of the protected server. */
let metadata: RequestListener;
beforeEach(async () => {
  servers = [];
  issuer = await startIssuer();
  metadata = (_request, response) =>
    response.end(JSON.stringify({ resource: `${server}/mcp`, authorization_servers: [issuer.issuer] }));
  server = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) metadata(request, response);
    else response.writeHead(404).end();
  });
});
afterEach(async () => {
  await issuer.close();
  for (const one of servers) one.close();
});

async function listen(handle: RequestListener): Promise<string> {
  const one = createServer(handle).listen(0, '127.0.0.1');
  servers.push(one);
  await once(one, 'listening');
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

const createConfig = (section: RemoteAuthConfig, url = `${server}/mcp?key=hunter2`) =>
  RunConfigSchema.parse({ name: 'far', remote_url: url, remote_auth_config: { use_pkce: true, ...section } });

/** A browser that is signed in already. It goes to the redirect without a listener. */
function createBrowser(listened: number[], taken: readonly number[] = []): SignInBrowser {
  const { promise, resolve } = Promise.withResolvers<URL>();
  return {
    listen: (port) => {
      listened.push(port);
      if (taken.includes(port)) return Promise.reject(Object.assign(new Error('taken'), { code: 'EADDRINUSE' }));
      return Promise.resolve({
        redirectUri: `http://localhost:${port || 4321}/callback`,
        redirect: promise.then((url) => ({ url, show: () => undefined })),
        close: () => Promise.resolve(),
      });
    },
    open: async (address) => {
      const response = await fetch(address, { redirect: 'manual' });
      const location = response.headers.get('location');
      await response.text();
      if (location !== null) resolve(new URL(location));
    },
  };
}

async function signInWith(section: RemoteAuthConfig, parts: Partial<SignInParts> = {}, challenge?: string) {
  const config = createConfig(section);
  const plan = await planSignIn(config, challenge, undefined);
  const browser = createBrowser([]);
  const abort = new AbortController().signal;
  return signIn(config, plan, { browser, clientSecret: undefined, last: undefined, abort, now: Date.now, ...parts });
}

/** The parameters of the last authorization request. */
const lastRequest = () =>
  Object.fromEntries(issuer.authorization.requests.findLast(({ path }) => path === '/authorize')?.parameters ?? []);

describe('the sources of a sign-in', () => {
  const CHALLENGE = 'Bearer scope="of the challenge"';
  it.each<[string, () => RemoteAuthConfig, string | undefined, Record<string, unknown>]>([
    ['the metadata of the server', () => ({}), undefined, { resource: '/mcp', scope: 'openid profile email' }],
    ['the scopes of the challenge', () => ({}), CHALLENGE, { scope: 'of the challenge' }],
    ['typed scopes before those', () => ({ scopes: ['typed'] }), CHALLENGE, { scope: 'typed' }],
    ['a typed resource', () => ({ resource: 'urn:x:y' }), undefined, { resource: 'urn:x:y' }],
    ['a typed issuer', () => ({ issuer: issuer.issuer }), CHALLENGE, { resource: '/mcp', scope: 'of the challenge' }],
    [
      'a resource URL whose metadata is read',
      () => ({ resource_url: `${server}/mcp/deep` }),
      undefined,
      { resource: '/mcp' },
    ],
    [
      'another parameter for the scopes, and further parameters that replace none',
      () => ({ scopes: ['a', 'b'], scope_param_name: 'user_scope', oauth_params: { prompt: 'login', state: 'mine' } }),
      undefined,
      { user_scope: 'a b', prompt: 'login', state: expect.not.stringMatching('mine') },
    ],
  ])('are %s', async (_, section, challenge, expected) => {
    await signInWith(section(), {}, challenge);
    const { resource = '', ...rest } = expected as { resource?: string };
    const full = resource.startsWith('/') ? { resource: `${server}${resource}` } : resource && { resource };
    expect(lastRequest()).toMatchObject({ ...rest, ...(full || {}), code_challenge_method: 'S256' });
    if ('user_scope' in expected) expect(lastRequest()).not.toHaveProperty('scope');
  });

  it('are the endpoints of the command line, with a client that is registered by hand', async () => {
    issuer.authorization.clients.push({
      clientId: 'by-hand',
      clientSecret: 'secret',
      redirectUris: ['http://localhost:9000/callback'],
    });
    const section = {
      ...{ authorize_url: `${issuer.issuer}/authorize`, token_url: `${issuer.issuer}/token` },
      ...{ client_id: 'by-hand', callback_port: 9000 },
    };
    const session = await signInWith(section, { clientSecret: 'secret' });
    expect(session).toMatchObject({
      client_id: 'by-hand',
      resource: `${server}/mcp`,
      token_endpoint: section.token_url,
    });
    expect(JSON.stringify(session)).not.toContain('"secret"');
  });

  it('are the metadata of the server itself where it has none about its resource', async () => {
    metadata = (_request, response) => response.writeHead(404).end();
    await expect(planSignIn(createConfig({}), undefined, undefined)).rejects.toThrow();
    const config = createConfig({}, `${issuer.issuer}/mcp`);
    expect((await planSignIn(config, undefined, undefined)).metadata.issuer).toBe(issuer.issuer);
  });

  it('ask for the scopes that the server has missed too, and remember what was asked', async () => {
    const config = createConfig({ scopes: ['typed'] });
    const plan = await planSignIn(config, undefined, undefined, ['granted', 'missed', 'typed']);
    expect(plan.scopes).toEqual(['typed', 'granted', 'missed']);
    expect(await signInWith({ scopes: ['typed'] })).toMatchObject({ scopes: ['typed'], asked_scopes: ['typed'] });
  });

  it('ask for offline_access where the issuer has it', async () => {
    issuer.metadata = { scopes_supported: ['openid', 'offline_access'] };
    await signInWith({});
    expect(lastRequest()).toMatchObject({ scope: 'openid offline_access' });
  });
});

describe('the callback port', () => {
  it('is another one for a client that registers itself, and is used again with its registration', async () => {
    const listened: number[] = [];
    const last = await signInWith({}, { browser: createBrowser(listened, [8666]) });
    expect([listened, last.registered_redirect_uri]).toEqual([[8666, 0], 'http://localhost:4321/callback']);
    const again: number[] = [];
    const session = await signInWith({}, { browser: createBrowser(again), last });
    expect([again, session.client_id]).toEqual([[4321], last.client_id]);
    await signInWith({}, { browser: createBrowser([], [4321]), last }).catch(() => undefined);
    expect(issuer.authorization.clients).toHaveLength(1);
  });

  it('is required by a client that is registered by hand', async () => {
    const browser = createBrowser([], [9000]);
    const section = { client_id: 'by-hand', callback_port: 9000 };
    await expect(signInWith(section, { browser })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Port 9000 of the callback is taken'),
    });
  });
});

describe('a hostile server or issuer', () => {
  const redirect = (change: (parameters: URLSearchParams) => void) => () => {
    issuer.authorization.changeRedirect = change;
  };
  it.each<[string, () => void, RegExp]>([
    ['answers for another issuer (RFC 9207)', redirect((response) => response.set('iss', 'https://x.example')), /iss/],
    ['leaves out its issuer', redirect((response) => response.delete('iss')), /iss/],
    ['answers with another state', redirect((response) => response.set('state', 'x')), /state/],
    [
      'sends no JSON as tokens',
      () => (issuer.authorization.answerToken = () => ({ status: 200, type: 'text/html', body: '<p>hunter2' })),
      /sign-in for far failed/,
    ],
    [
      'sends a token for no header',
      () => {
        const body = JSON.stringify({ access_token: 'a\r\nX: y', token_type: 'Bearer' });
        issuer.authorization.answerToken = () => ({ status: 200, type: 'application/json', body });
      },
      /sign-in for far failed/,
    ],
    [
      'redirects the token request',
      () => (issuer.authorization.answerToken = () => ({ status: 307, type: 'text/plain', body: '' })),
      /HTTP 307/,
    ],
    ['does not support PKCE', () => (issuer.metadata = { code_challenge_methods_supported: ['plain'] }), /S256/],
    ['has metadata of another issuer', () => (issuer.metadata = { issuer: 'https://x.example' }), /issuer/],
    ['registers no clients', () => (issuer.metadata = { registration_endpoint: undefined }), /register themselves/],
    [
      'has its authorization endpoint on http',
      () => (issuer.metadata = { authorization_endpoint: 'http://x.example/authorize' }),
      /not an https address/,
    ],
    [
      'has the metadata of another resource',
      () =>
        (metadata = (_request, response) =>
          response.end(JSON.stringify({ resource: 'https://x.example', authorization_servers: [issuer.issuer] }))),
      /another resource/,
    ],
    [
      'redirects its metadata',
      () => (metadata = (_request, response) => response.writeHead(302, { location: `${issuer.issuer}/` }).end()),
      /./,
    ],
  ])('%s', async (_, prepare, message) => {
    prepare();
    const failure = await signInWith({ scopes: ['a'] }).catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toContain('hunter2');
  });

  it.each([
    ['metadata', 'Bearer resource_metadata="http://127.0.0.1:1/x"'],
    ['metadata of the cloud', 'Bearer resource_metadata="http://169.254.169.254/latest"'],
    ['metadata of the private network', 'Bearer resource_metadata="https://10.0.0.1/x"'],
  ])('cannot send a sign-in of a public server to %s', async (_, challenge) => {
    const config = createConfig({}, 'https://198.51.100.1:1/mcp');
    await expect(planSignIn(config, challenge, undefined)).rejects.toThrow(/address|https/);
  });
});
