import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidProviderError, ProviderUnavailableError } from './errors.ts';
import { type FixedServer, HTTP, startServer } from './http-server.fixture.ts';
import { discoverProtectedResource } from './protected-resource.ts';

let server: FixedServer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.responses.clear();
  server.requests.length = 0;
});
afterAll(() => server.close());

const AUTHORIZATION_SERVER = 'https://auth.example';
const discover = (challenge?: string, path = '/api/mcp') =>
  discoverProtectedResource(new URL(path, server.origin), HTTP, challenge);
const publish = (path: string, resource: string, more: object = {}) =>
  server.responses.set(path, { body: { resource, authorization_servers: [AUTHORIZATION_SERVER], ...more } });

describe('discoverProtectedResource', () => {
  it.each(['/.well-known/oauth-protected-resource/api/mcp', '/.well-known/oauth-protected-resource'])(
    'finds the document at %s',
    async (path) => {
      publish(path, `${server.origin}/api/mcp`, { scopes_supported: ['read'] });
      expect(await discover()).toEqual({
        resource: `${server.origin}/api/mcp`,
        authorizationServers: [AUTHORIZATION_SERVER],
        scopes: ['read'],
      });
    },
  );

  it('reads only the document that the challenge names, and prefers its scopes', async () => {
    publish('/elsewhere', `${server.origin}/api/mcp`, { scopes_supported: ['read'] });
    const found = await discover(`Bearer resource_metadata="${server.origin}/elsewhere", scope="write admin"`);
    expect(found.scopes).toEqual(['write', 'admin']);
    expect(server.requests.map(({ path }) => path)).toEqual(['/elsewhere']);
  });

  it('uses the scopes of the document when those of the challenge are empty', async () => {
    publish('/.well-known/oauth-protected-resource', server.origin, { scopes_supported: ['read'] });
    expect((await discover('Bearer scope=""')).scopes).toEqual(['read']);
  });

  it.each(['Basic realm="x"', 'Bearer error="invalid_token"', '', '%%%'])(
    'uses the well-known addresses after the challenge %j',
    async (challenge) => {
      publish('/.well-known/oauth-protected-resource', server.origin);
      expect((await discover(challenge)).resource).toBe(server.origin);
    },
  );

  it.each(['', '/', '/api', '/api/mcp'])('accepts the resource %j of the same origin', async (path) => {
    publish('/.well-known/oauth-protected-resource', `${server.origin}${path}`);
    expect((await discover()).resource).toBe(`${server.origin}${path}`);
  });

  it.each(['https://other.example/api/mcp', '/api/m', '/other', '/api/mcp/more', '/api/mcp?x=1'])(
    'refuses the resource %j',
    async (resource) => {
      publish('/.well-known/oauth-protected-resource', new URL(resource, server.origin).href);
      await expect(discover()).rejects.toThrow(InvalidProviderError);
    },
  );

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address'])(
    'refuses the address %j of a challenge',
    async (address) => {
      publish('/.well-known/oauth-protected-resource', server.origin);
      await expect(discover(`Bearer resource_metadata="${address}"`)).rejects.toThrow(InvalidProviderError);
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    { authorization_servers: [] },
    { authorization_servers: undefined },
    { authorization_servers: ['no address'] },
    { authorization_servers: 'https://auth.example' },
    { resource: undefined },
    { resource: 7 },
  ])('refuses a document with %j', async (more) => {
    publish('/.well-known/oauth-protected-resource', server.origin, more);
    await expect(discover()).rejects.toThrow(InvalidProviderError);
  });

  it('reports a server with an error as a temporary failure', async () => {
    server.responses.set('/.well-known/oauth-protected-resource/api/mcp', { status: 502, body: {} });
    await expect(discover()).rejects.toThrow(ProviderUnavailableError);
  });
});
