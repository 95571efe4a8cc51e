import * as oauth from 'oauth4webapi';
import { readChallenge } from './challenge.ts';
import { InvalidProviderError, ProviderUnavailableError, toOAuthError } from './errors.ts';
import type { ProviderHttp } from './provider.ts';

/** The metadata of a protected API (RFC 9728, section 2). */
export interface ProtectedResource {
  /** The resource identifier, for `resource` of RFC 8707. */
  readonly resource: string;
  /** Issuers of its authorization servers; at least one. */
  readonly authorizationServers: readonly string[];
  /** The scopes that a client should ask for, from the challenge or else from the document. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * Reads the metadata of a protected API: at the address of its challenge, else at its well-known
 * addresses with and without the path of the endpoint (RFC 9728, sections 3 and 5).
 * @param endpoint the address of the API
 * @param challenge the value of WWW-Authenticate in its 401 response
 * @throws ProviderUnavailableError, InvalidProviderError
 */
export async function discoverProtectedResource(
  endpoint: URL,
  http: ProviderHttp,
  challenge?: string,
): Promise<ProtectedResource> {
  const { metadataUrl, scopes: challenged } = challenge === undefined ? {} : await readChallenge(challenge);
  const addresses = metadataUrl === undefined ? listWellKnown(endpoint) : [metadataUrl];
  let failure: Error = new InvalidProviderError('the API has no metadata document (RFC 9728)');
  for (const address of addresses) {
    try {
      const document = await readDocument(address, http);
      checkResource(document.resource, endpoint);
      const { authorization_servers: servers, scopes_supported: supported } = document;
      if (!isList(servers) || servers.length === 0 || !servers.every((server) => URL.canParse(server)))
        throw new InvalidProviderError('the metadata document of the API names no authorization server');
      const scopes = challenged ?? (isList(supported) ? supported : undefined);
      return { resource: document.resource, authorizationServers: servers, scopes };
    } catch (cause) {
      failure = toOAuthError(cause);
      // An API that does not answer is not asked for its other document.
      if (failure instanceof ProviderUnavailableError) break;
    }
  }
  throw failure;
}

function listWellKnown({ origin, pathname }: URL): URL[] {
  const root = new URL('/.well-known/oauth-protected-resource', origin);
  return pathname === '/' ? [root] : [new URL(`${root.pathname}${pathname}`, origin), root];
}

async function readDocument(address: URL, http: ProviderHttp): Promise<oauth.ResourceServer> {
  oauth.checkProtocol(address, !http.allowsHttp);
  const response = await http.fetch(address.href, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(http.timeoutS * 1000),
  });
  // The library compares the resource with one value; `checkResource` accepts more than one.
  const { resource } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { resource?: unknown };
  const named = typeof resource === 'string' ? URL.parse(resource) : null;
  return oauth.processResourceDiscoveryResponse(named ?? address, response);
}

/**
 * The resource must be the endpoint, or a path above it at the same origin, as the official MCP
 * clients accept it.
 */
function checkResource(resource: string, endpoint: URL): void {
  const url = URL.parse(resource);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const isAbove = endpoint.pathname === path || endpoint.pathname.startsWith(`${path}/`);
  if (url?.origin !== endpoint.origin || url.search !== '' || !isAbove)
    throw new InvalidProviderError('the metadata document of the API is that of another resource');
}

/** Whether a member of a document is a list of texts. */
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
