import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { draft } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** An identity provider as the API shows it. */
export interface Provider {
  id: string;
  name: string;
  provider_type: 'oidc' | 'oauth2';
  registration_mode: 'static' | 'dcr';
  oidc_config?: Record<string, unknown>;
  oauth2_config?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A server with a metadata document that tests can change. */
export interface MetadataServer {
  readonly issuer: string;
  /** Overrides of fields of the document; undefined removes a field. */
  overrideFields(changes: Record<string, unknown>): void;
  /** Replaces the document by a response, until it is called without arguments. */
  replaceDocument(listener?: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** The requested paths. */
  readonly requestedPaths: string[];
  close(): Promise<void>;
}

/** Starts the server on this machine, on a free port by default. */
export async function startMetadata(port = 0): Promise<MetadataServer> {
  let changes: Record<string, unknown> = {};
  let instead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    if (instead !== undefined) {
      instead(request, response);
      return;
    }
    if (!/^\/\.well-known\/(openid-configuration|oauth-authorization-server)$/.test(request.url ?? '')) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
        ...changes,
      }),
    );
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    overrideFields: (said) => (changes = said),
    replaceDocument: (listener) => (instead = listener),
    requestedPaths,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** An OAuth 2 provider that needs no network to be saved. */
export const oauth2 = (config: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: `Provider ${randomUUID()}`,
  provider_type: 'oauth2',
  oauth2_config: {
    authorization_endpoint: 'https://93.184.216.34/authorize',
    token_endpoint: 'https://93.184.216.34/token',
    client_id: 'gatehouse',
    ...config,
  },
});

/** An OpenID provider whose issuer is on this machine. */
export const oidc = (issuer: string, config: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: `Provider ${randomUUID()}`,
  provider_type: 'oidc',
  oidc_config: { issuer_url: issuer, client_id: 'gatehouse', allow_private_ips: true, ...config },
});

/** Creates a provider. */
export async function makeProvider(manager: TestManager, body: Record<string, unknown> = oauth2()): Promise<Provider> {
  const response = await manager.client.call<Provider>('POST /v1/connector-identity-providers', {
    token: manager.tokens.admin,
    body,
  });
  if (response.status !== 201) throw new Error(`no provider: ${JSON.stringify(response.body)}`);
  return response.body;
}

/** A connector that sends the user's token of a provider. */
export const injecting = (providerId: string, overrides: Record<string, unknown> = {}): Record<string, unknown> =>
  draft({ auth: { type: 'upstreamInject', upstream_inject: { provider_id: providerId } }, ...overrides });
