import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { discoverProvider, type DiscoveryOptions } from './discovery.ts';
import { InvalidProviderError, ProviderUnavailableError } from './errors.ts';
import { type FixedServer, HTTP, startServer } from './http-server.fixture.ts';

let server: FixedServer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.responses.clear();
  server.requests.length = 0;
});
afterAll(() => server.close());

const UNKNOWN: DiscoveryOptions = { prefers: 'oauth', requiresPkce: true };
const CONFIGURED: DiscoveryOptions = { prefers: 'openid', requiresPkce: false };
const discover = (path = '', options = UNKNOWN, http = HTTP) =>
  discoverProvider(`${server.origin}${path}`, http, options);

const describeServer = (path = '', more: object = {}) => ({
  issuer: `${server.origin}${path}`,
  authorization_endpoint: `${server.origin}/authorize`,
  token_endpoint: `${server.origin}/token`,
  code_challenge_methods_supported: ['S256'],
  ...more,
});

describe('discoverProvider', () => {
  it.each([
    ['/.well-known/oauth-authorization-server/tenant', UNKNOWN],
    ['/.well-known/openid-configuration/tenant', UNKNOWN],
    ['/tenant/.well-known/openid-configuration', UNKNOWN],
    ['/.well-known/oauth-authorization-server/tenant', CONFIGURED],
    ['/.well-known/openid-configuration/tenant', CONFIGURED],
    ['/tenant/.well-known/openid-configuration', CONFIGURED],
  ])('finds the document at %s', async (path, options) => {
    server.responses.set(path, { body: describeServer('/tenant') });
    expect((await discover('/tenant', options)).token_endpoint).toBe(`${server.origin}/token`);
  });

  it('asks for the preferred document first', async () => {
    for (const path of ['oauth-authorization-server', 'openid-configuration'])
      server.responses.set(`/.well-known/${path}`, { body: describeServer() });
    await discover('', UNKNOWN);
    await discover('', CONFIGURED);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
    ]);
  });

  it('passes over a page at the address of another document', async () => {
    const page = { contentType: 'text/html', body: '<p>Not found</p>' };
    server.responses.set('/.well-known/oauth-authorization-server', page);
    server.responses.set('/.well-known/openid-configuration', { body: describeServer() });
    await expect(discover()).resolves.toMatchObject({ issuer: server.origin });
  });

  it.each(['/.well-known/oauth-authorization-server/tenant', '/.well-known/openid-configuration/tenant'])(
    'refuses the document of another issuer at %s',
    async (path) => {
      server.responses.set(path, { body: describeServer('/other') });
      await expect(discover('/tenant')).rejects.toThrow(InvalidProviderError);
    },
  );

  it.each([
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'file:///etc/passwd'],
    ['authorization_endpoint', 'not an address'],
    ['token_endpoint', 'ftp://example.com/token'],
    ['token_endpoint', 'https://user:secret@example.com/token'],
    ['registration_endpoint', 7],
    ['jwks_uri', ''],
  ])('refuses the %s %j', async (name, value) => {
    server.responses.set('/.well-known/oauth-authorization-server', { body: describeServer('', { [name]: value }) });
    await expect(discover()).rejects.toThrow(new RegExp(`^${name} of the metadata document is not`));
  });

  it('refuses http where it is not permitted', async () => {
    server.responses.set('/.well-known/oauth-authorization-server', { body: describeServer() });
    await expect(discover('', UNKNOWN, { ...HTTP, allowsHttp: false })).rejects.toThrow(InvalidProviderError);
    expect(server.requests).toEqual([]);
  });

  it.each([undefined, [], ['plain']])('refuses an unknown server with the PKCE methods %j', async (methods) => {
    const body = describeServer('', { code_challenge_methods_supported: methods });
    server.responses.set('/.well-known/oauth-authorization-server', { body });
    await expect(discover()).rejects.toThrow('PKCE with S256');
    await expect(discover('', CONFIGURED)).resolves.toMatchObject({ issuer: server.origin });
  });

  it('refuses PKCE methods that are not a list', async () => {
    const body = describeServer('', { code_challenge_methods_supported: 'S256' });
    server.responses.set('/.well-known/oauth-authorization-server', { body });
    await expect(discover()).rejects.toThrow('is not a list');
  });

  it.each([500, 503, 429])('reports HTTP %i as a temporary failure and asks for no other document', async (status) => {
    server.responses.set('/.well-known/oauth-authorization-server', { status, body: {} });
    await expect(discover()).rejects.toThrow(ProviderUnavailableError);
    expect(server.requests).toHaveLength(1);
  });

  it('reports a server that does not answer as a temporary failure', async () => {
    const closed = await startServer();
    await closed.close();
    await expect(discoverProvider(closed.origin, HTTP, UNKNOWN)).rejects.toThrow(ProviderUnavailableError);
  });

  it('follows no redirect', async () => {
    server.responses.set('/.well-known/oauth-authorization-server', { status: 302, body: '' });
    await expect(discover()).rejects.toThrow(InvalidProviderError);
  });
});
