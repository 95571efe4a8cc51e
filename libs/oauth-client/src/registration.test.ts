import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidProviderError, ProviderRefusalError } from './errors.ts';
import { type FixedServer, HTTP, startServer } from './http-server.fixture.ts';
import type { ProviderClient, ProviderMetadata } from './provider.ts';
import { findClient, type RegistrationOptions } from './registration.ts';

let server: FixedServer;
let stored: Map<string, ProviderClient>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  stored = new Map();
  server.responses.clear();
  server.requests.length = 0;
  server.responses.set('/register', { status: 201, body: { client_id: 'registered' } });
});
afterAll(() => server.close());

const description = {
  clientName: 'Gatehouse',
  redirectUris: ['https://gateway.example/oauth/callback'],
  applicationType: 'web' as const,
};
const find = (metadata: Partial<ProviderMetadata> = {}, options: Partial<RegistrationOptions> = {}) =>
  findClient(
    { issuer: server.origin, registration_endpoint: `${server.origin}/register`, ...metadata },
    HTTP,
    { description, ...options },
    {
      find: (key) => Promise.resolve(stored.get(key)),
      save: (key, client) => {
        if (!stored.has(key)) stored.set(key, client);
        return Promise.resolve(stored.get(key)!);
      },
    },
  );
const readRequest = () => JSON.parse(server.requests[0]!.text) as Record<string, unknown>;

describe('findClient', () => {
  const metadataDocumentUrl = 'https://gateway.example/oauth/client.json';
  const supporting = { client_id_metadata_document_supported: true };

  it('prefers the configured client', async () => {
    const configured = { clientId: 'configured', clientSecret: 's' };
    expect(await find(supporting, { configured, metadataDocumentUrl })).toEqual(configured);
    expect(server.requests).toEqual([]);
  });

  it('uses the metadata document where the server supports it', async () => {
    expect(await find(supporting, { metadataDocumentUrl })).toEqual({ clientId: metadataDocumentUrl });
    expect((await find({}, { metadataDocumentUrl })).clientId).toBe('registered');
    expect((await find(supporting)).clientId).toBe('registered');
  });

  it('registers once for each issuer', async () => {
    await find();
    await find();
    expect(server.requests).toHaveLength(1);
    await find({ issuer: 'https://other.example' });
    expect(server.requests).toHaveLength(2);
  });

  it('describes itself with the method of authentication that the server supports', async () => {
    await find({ token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post', 'none'] });
    expect(readRequest()).toMatchObject({
      client_name: 'Gatehouse',
      redirect_uris: description.redirectUris,
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    });
  });

  it.each([
    [{ client_id: 'a' }, { clientId: 'a' }],
    [
      { client_id: 'a', client_secret: 's', client_secret_expires_at: 0 },
      { clientId: 'a', clientSecret: 's', authMethod: 'client_secret_basic' },
    ],
    [
      { client_id: 'a', client_secret: 's' },
      { clientId: 'a', clientSecret: 's', authMethod: 'client_secret_basic' },
    ],
    [
      { client_id: 'a', client_secret: 's', client_secret_expires_at: 0, token_endpoint_auth_method: 'none' },
      { clientId: 'a' },
    ],
  ])('reads the registration %j', async (body, client) => {
    server.responses.set('/register', { status: 201, body });
    expect(await find()).toEqual(client);
  });

  it.each([
    {},
    { client_id: 7 },
    { client_id: '' },
    { client_id: 'a', token_endpoint_auth_method: 'private_key_jwt' },
    'a page',
  ])('refuses the registration %j', async (body) => {
    server.responses.set('/register', { status: 201, body });
    await expect(find()).rejects.toThrow(InvalidProviderError);
    expect(stored.size).toBe(0);
  });

  it('reports the refusal of the server', async () => {
    server.responses.set('/register', { status: 400, body: { error: 'invalid_redirect_uri' } });
    await expect(find()).rejects.toThrow(ProviderRefusalError);
  });

  it('sends the initial access token only to the origin that it is for', async () => {
    const initialAccessToken = { value: 'initial', trustedOrigin: server.origin };
    await find({}, { initialAccessToken });
    expect(server.requests[0]!.headers.authorization).toBe('Bearer initial');
    await expect(
      find(
        { issuer: 'https://a.example' },
        { initialAccessToken: { value: 'initial', trustedOrigin: 'https://a.example' } },
      ),
    ).rejects.toThrow('the registration endpoint is elsewhere');
    expect(server.requests).toHaveLength(1);
  });

  it('refuses a server without registration', async () => {
    const metadata: ProviderMetadata = { issuer: server.origin };
    const store = {
      find: () => Promise.resolve(undefined),
      save: (_: string, client: ProviderClient) => Promise.resolve(client),
    };
    await expect(findClient(metadata, HTTP, { description }, store)).rejects.toThrow('RFC 7591');
  });
});
