import * as oidc from 'openid-client';
import { InvalidProviderError, ProviderUnavailableError, toOAuthError } from './errors.ts';
import type { ProviderHttp, ProviderMetadata } from './provider.ts';

/** The requirements of a caller on an authorization server. */
export interface DiscoveryOptions {
  /** The kind of document to look for first; a server may have either. */
  readonly prefers: 'oauth' | 'openid';
  /**
   * Whether the document must list PKCE with S256. The MCP specification requires this of servers
   * that a client discovers. Many OpenID providers support S256 without listing it.
   */
  readonly requiresPkce: boolean;
}

/**
 * Reads the metadata of an authorization server, at the addresses of RFC 8414, section 3.1, and of
 * OpenID Connect Discovery 1.0, section 4, with and without the path of the issuer. The document
 * must be that of the issuer, and its endpoints must be web addresses.
 * @param issuer the issuer identifier, without query and fragment
 * @throws ProviderUnavailableError, InvalidProviderError
 */
export async function discoverProvider(
  issuer: string,
  http: ProviderHttp,
  { prefers, requiresPkce }: DiscoveryOptions,
): Promise<ProviderMetadata> {
  const url = URL.parse(issuer);
  if (url === null) throw new InvalidProviderError('the issuer is not a URL');
  const failures: Error[] = [];
  for (const read of listReaders(url, prefers)) {
    const metadata = await read(http).catch((cause: unknown) => {
      failures.push(toOAuthError(cause));
    });
    if (metadata !== undefined) return checkMetadata(metadata, { http, requiresPkce });
    // A server that does not answer is not asked for its other documents.
    if (failures.at(-1) instanceof ProviderUnavailableError) break;
  }
  throw failures.at(-1) ?? new InvalidProviderError('the issuer has no metadata document');
}

type Reader = (http: ProviderHttp) => Promise<ProviderMetadata>;

/** The addresses of the metadata, for `oauth` in the order of the MCP specification. */
function listReaders(issuer: URL, prefers: DiscoveryOptions['prefers']): Reader[] {
  const oauth: Reader = (http) => read(issuer, http, 'oauth2');
  const openid: Reader = (http) => read(issuer, http, 'oidc');
  const inserted: Reader = (http) => readInserted(issuer, http);
  const hasPath = issuer.pathname !== '/';
  if (prefers === 'openid') return hasPath ? [openid, oauth, inserted] : [openid, oauth];
  return hasPath ? [oauth, inserted, openid] : [oauth, openid];
}

async function read(url: URL, http: ProviderHttp, algorithm: 'oauth2' | 'oidc'): Promise<ProviderMetadata> {
  const discovered = await oidc.discovery(url, 'unused', undefined, oidc.None(), {
    algorithm,
    timeout: http.timeoutS,
    // Both option types are the same, except that an absent option may be `undefined` in one.
    [oidc.customFetch]: (address, options) => http.fetch(address, options as RequestInit),
    ...(http.allowsHttp && { execute: [oidc.allowInsecureRequests] }),
  });
  return discovered.serverMetadata();
}

/** Reads an OpenID document with the path of the issuer behind the well-known part. */
async function readInserted(issuer: URL, http: ProviderHttp): Promise<ProviderMetadata> {
  const metadata = await read(new URL(`/.well-known/openid-configuration${issuer.pathname}`, issuer), http, 'oidc');
  // The library compares the issuer only if it builds the address of the document.
  if (URL.parse(metadata.issuer)?.href !== issuer.href)
    throw new InvalidProviderError('the metadata document is that of another issuer');
  return metadata;
}

/** The endpoints that a browser opens or that the client calls. */
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
  'jwks_uri',
] as const;

function checkMetadata(
  metadata: ProviderMetadata,
  { http, requiresPkce }: { http: ProviderHttp; requiresPkce: boolean },
): ProviderMetadata {
  for (const name of ENDPOINTS) {
    const value: unknown = metadata[name];
    if (value === undefined) continue;
    const url = typeof value === 'string' ? URL.parse(value) : null;
    const protocols = http.allowsHttp ? ['https:', 'http:'] : ['https:'];
    if (url === null || !protocols.includes(url.protocol) || url.username !== '' || url.password !== '')
      throw new InvalidProviderError(
        `${name} of the metadata document is not an ${protocols.length > 1 ? 'http' : 'https'} address`,
      );
  }
  const methods: unknown = metadata.code_challenge_methods_supported;
  if (methods !== undefined && !Array.isArray(methods))
    throw new InvalidProviderError('code_challenge_methods_supported of the metadata document is not a list');
  if (requiresPkce && methods?.includes('S256') !== true)
    throw new InvalidProviderError('the metadata document does not list PKCE with S256 (RFC 7636)');
  return metadata;
}
