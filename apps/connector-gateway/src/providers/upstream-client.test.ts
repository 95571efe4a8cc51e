import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProviderClient } from '@gatehouse/oauth-client/provider';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { createUpstreamClient } from './upstream-client.ts';

const CALLBACK = 'http://127.0.0.1:1/oauth/callback';

let issuer: TestIssuer;
let upstream: Server;
/** The documents of the upstream by path, and the paths that were read. */
let documents: Record<string, unknown>;
let challenge: string | undefined;
let requests: string[];
let stored: Map<string, ProviderClient>;

beforeEach(async () => {
  issuer = await startIssuer();
  documents = {};
  challenge = undefined;
  requests = [];
  stored = new Map();
  upstream = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.method === 'POST' && challenge !== undefined)
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    else if (request.url !== undefined && request.url in documents)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documents[request.url]));
    else response.writeHead(404).end();
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
});
afterEach(async () => {
  await issuer.close();
  upstream.closeAllConnections();
  await once(upstream.close(), 'close');
});

const getEndpoint = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;

const createConnector = (config: Record<string, unknown> = {}): Connector => ({
  id: 'c0ffee00-0000-4000-8000-000000000000',
  slug: 'files',
  name: 'Files',
  endpoint: getEndpoint(),
  transport: 'streamable-http',
  auth: { type: 'upstreamInject' },
  allow_private_ips: true,
  identity_provider: {
    id: 'c0ffee00-0000-4000-8000-000000000001',
    name: 'Provider',
    provider_type: 'oidc',
    registration_mode: 'static',
    oidc_config: { issuer_url: issuer.issuer, client_id: 'gateway', allow_private_ips: true, ...config },
    secrets: {},
  },
});

const create = (connector: Connector, secrets: Record<string, string> = {}) =>
  createUpstreamClient(connector, {
    secrets: { get: (place) => Promise.resolve(secrets[place.kind === 'managed' ? place.id : ''] ?? '') },
    registrations: {
      find: (key) => Promise.resolve(stored.get(key)),
      save: (key, client) => {
        stored.set(key, client);
        return Promise.resolve(client);
      },
    },
    allowLoopback: true,
    callbackUrl: CALLBACK,
    clientMetadataUrl: undefined,
  });

describe('createUpstreamClient', () => {
  it('uses the configured client, with its secret', async () => {
    const connector = createConnector({ token_endpoint_auth_method: 'client_secret_post' });
    connector.identity_provider!.secrets = { 'oidc_config.client_secret': { id: 'secret-id', version: 1 } };
    const { provider, redirectUri } = await create(connector, { 'secret-id': 'hidden' });
    expect(provider.client).toEqual({ clientId: 'gateway', clientSecret: 'hidden', authMethod: 'client_secret_post' });
    expect(redirectUri).toBe(CALLBACK);
  });

  it('registers itself once at a provider that demands it', async () => {
    const connector = createConnector({ client_id: undefined, dcr: {} });
    const { provider } = await create(connector);
    expect((await create(connector)).provider.client).toEqual(provider.client);
    expect(issuer.authorization.clients).toEqual([
      expect.objectContaining({ clientId: provider.client.clientId, redirectUris: [CALLBACK] }),
    ]);
  });

  it('sends the initial access token to the typed origin only', async () => {
    const connector = createConnector({ client_id: undefined, dcr: {} });
    connector.identity_provider!.secrets = { 'oidc_config.dcr.initial_access_token': { id: 'token-id', version: 1 } };
    issuer.metadata = { registration_endpoint: getEndpoint() };
    await expect(create(connector, { 'token-id': 'initial' })).rejects.toMatchObject({
      code: 'oauth_provider_invalid',
    });
    expect(requests).toEqual([]);
    issuer.metadata = {};
    await create(connector, { 'token-id': 'initial' });
    expect(issuer.authorization.requests.at(-1)?.authorization).toBe('Bearer initial');
  });

  it.each([
    ['loopback at another port', () => getEndpoint()],
    ['a private address', () => 'https://10.0.0.1/register'],
    ['a metadata address', () => 'http://169.254.169.254/register'],
  ])('does not dial an endpoint that a document names at %s', async (_, getAddress) => {
    issuer.metadata = { registration_endpoint: getAddress() };
    await expect(create(createConnector({ client_id: undefined, dcr: {} }))).rejects.toMatchObject({
      code: 'oauth_provider_invalid',
    });
    expect(requests).toEqual([]);
  });

  it('refuses a provider in private networks without the permission', async () => {
    await expect(create(createConnector({ allow_private_ips: false }))).rejects.toMatchObject({
      code: 'oauth_provider_invalid',
    });
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://elsewhere.example/authorize',
    'https://a b/',
    'x;rm -rf',
  ])('refuses the authorization endpoint %j', async (address) => {
    issuer.metadata = { authorization_endpoint: address };
    await expect(create(createConnector())).rejects.toMatchObject({ code: 'oauth_provider_invalid' });
  });

  it('refuses a provider for registered clients that does not list PKCE', async () => {
    issuer.metadata = { code_challenge_methods_supported: undefined };
    await create(createConnector());
    await expect(create(createConnector({ client_id: undefined, dcr: {} }))).rejects.toThrow('PKCE');
  });

  it('takes resource and scopes from the document of the upstream', async () => {
    const { origin } = new URL(getEndpoint());
    documents['/.well-known/oauth-protected-resource'] = {
      resource: origin,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['read', 'write'],
    };
    expect(await create(createConnector())).toMatchObject({ resource: origin, scopes: ['read', 'write'] });
    expect((await create(createConnector({ scopes: ['own'] }))).scopes).toEqual(['own']);
    expect((await create(createConnector({ send_resource: false }))).resource).toBeUndefined();
  });

  it('asks for offline access beside the scopes of the upstream where the provider lists it', async () => {
    issuer.metadata = { scopes_supported: ['read', 'offline_access'] };
    expect((await create(createConnector())).scopes).toEqual([]);
    const document = { resource: getEndpoint(), authorization_servers: [issuer.issuer], scopes_supported: ['read'] };
    documents['/.well-known/oauth-protected-resource'] = document;
    expect((await create(createConnector())).scopes).toEqual(['read', 'offline_access']);
    expect((await create(createConnector({ scopes: ['own'] }))).scopes).toEqual(['own']);
  });

  it('names the endpoint of an upstream without a document', async () => {
    expect(await create(createConnector())).toMatchObject({ resource: getEndpoint(), scopes: [] });
  });

  it('does not fetch a document that a challenge names at an address without permission', async () => {
    for (const address of ['http://169.254.169.254/latest', 'http://10.0.0.1/', `${issuer.issuer}/document`]) {
      challenge = `Bearer resource_metadata="${address}"`;
      await expect(create(createConnector())).rejects.toMatchObject({ code: 'oauth_provider_invalid' });
    }
    expect(requests.every((request) => request === 'POST /mcp')).toBe(true);
  });

  it('reads the document that a challenge of the upstream names', async () => {
    challenge = `Bearer resource_metadata="${new URL('/document', getEndpoint()).href}", scope="files"`;
    documents['/document'] = { resource: getEndpoint(), authorization_servers: [issuer.issuer] };
    expect(await create(createConnector())).toMatchObject({ resource: getEndpoint(), scopes: ['files'] });
  });

  it('uses configured endpoints of an OAuth provider without a document', async () => {
    const connector = createConnector();
    connector.identity_provider = {
      ...connector.identity_provider!,
      provider_type: 'oauth2',
      oauth2_config: {
        authorization_endpoint: `${issuer.issuer}/authorize`,
        token_endpoint: `${issuer.issuer}/token`,
        client_id: 'gateway',
        allow_private_ips: true,
      },
    };
    const { provider } = await create(connector);
    expect(provider.metadata).toEqual({
      issuer: issuer.issuer,
      authorization_endpoint: `${issuer.issuer}/authorize`,
      token_endpoint: `${issuer.issuer}/token`,
    });
  });
});
