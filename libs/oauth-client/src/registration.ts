import * as oauth from 'oauth4webapi';
import { InvalidProviderError, toOAuthError } from './errors.ts';
import type { ProviderClient, ProviderHttp, ProviderMetadata } from './provider.ts';

/** The client metadata of a dynamic registration (RFC 7591, section 2). */
export interface ClientDescription {
  readonly clientName: string;
  readonly redirectUris: readonly string[];
  /** `native` for a program that receives the redirect on a loopback port. */
  readonly applicationType: 'web' | 'native';
  readonly scope?: string;
  readonly softwareId?: string;
  readonly softwareStatement?: string;
}

/** How a client may become known to an authorization server, in the order of preference. */
export interface RegistrationOptions {
  /** A client that an administrator registered by hand. */
  readonly configured?: ProviderClient | undefined;
  /** https address of the metadata document of the client, which the server reads itself. */
  readonly metadataDocumentUrl?: string | undefined;
  /** For dynamic registration. */
  readonly description: ClientDescription;
  /** Sent to the registration endpoint, if it has the origin of `trustedOrigin`. */
  readonly initialAccessToken?: { readonly value: string; readonly trustedOrigin: string } | undefined;
}

/** Stores dynamic registrations, so that each is made once. */
export interface RegistrationStore {
  /** @param key issuer and redirect URIs */
  find(key: string): Promise<ProviderClient | undefined>;
  /** Stores a registration, unless another process was faster. @returns the stored one */
  save(key: string, client: ProviderClient): Promise<ProviderClient>;
}

/** The key of a registration in its store. */
export const getRegistrationKey = (issuer: string, redirectUris: readonly string[]): string =>
  JSON.stringify([issuer, ...redirectUris]);

/**
 * Finds the client for an authorization server: the configured one, else the client id metadata
 * document, else a stored or new dynamic registration (RFC 7591). A registration belongs to one
 * issuer and is never used at another.
 * @throws InvalidProviderError when the server supports none of them; ProviderRefusalError,
 * ProviderUnavailableError
 */
export async function findClient(
  metadata: ProviderMetadata,
  http: ProviderHttp,
  options: RegistrationOptions,
  store: RegistrationStore,
): Promise<ProviderClient> {
  const { configured, metadataDocumentUrl, description } = options;
  if (configured !== undefined) return configured;
  if (metadata['client_id_metadata_document_supported'] === true && metadataDocumentUrl !== undefined)
    return { clientId: metadataDocumentUrl };
  const key = getRegistrationKey(metadata.issuer, description.redirectUris);
  return (await store.find(key)) ?? store.save(key, await register(metadata, http, options));
}

async function register(
  metadata: ProviderMetadata,
  http: ProviderHttp,
  { description, initialAccessToken }: RegistrationOptions,
): Promise<ProviderClient> {
  const { registration_endpoint: endpoint } = metadata;
  if (endpoint === undefined)
    throw new InvalidProviderError('the authorization server does not let clients register themselves (RFC 7591)');
  if (initialAccessToken !== undefined && new URL(endpoint).origin !== initialAccessToken.trustedOrigin)
    throw new InvalidProviderError('the registration endpoint is elsewhere, and would get the initial access token');
  try {
    const response = await oauth.dynamicClientRegistrationRequest(metadata, toMetadata(description, metadata), {
      ...(initialAccessToken && { initialAccessToken: initialAccessToken.value }),
      [oauth.customFetch]: (url, init) => http.fetch(url, init),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way to permit http
      [oauth.allowInsecureRequests]: http.allowsHttp,
      signal: AbortSignal.timeout(http.timeoutS * 1000),
    });
    return readClient(await oauth.processDynamicClientRegistrationResponse(await addSecretExpiry(response)));
  } catch (cause) {
    throw toOAuthError(cause);
  }
}

/**
 * Adds `client_secret_expires_at` to a registration with a secret. RFC 7591, section 3.2.1,
 * requires it, but some servers omit it; their secret does not expire.
 */
async function addSecretExpiry(response: Response): Promise<Response> {
  const { status, headers } = response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null || !('client_secret' in body)) return response;
  return new Response(JSON.stringify({ client_secret_expires_at: 0, ...body }), { status, headers });
}

/** The methods of client authentication, the most preferred first. */
const METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;

function toMetadata(description: ClientDescription, metadata: ProviderMetadata): Partial<oauth.Client> {
  // Without a list, a server supports client_secret_basic (RFC 8414, section 2).
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const { clientName, redirectUris, applicationType, scope, softwareId, softwareStatement } = description;
  return {
    client_name: clientName,
    redirect_uris: [...redirectUris],
    application_type: applicationType,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: METHODS.find((method) => supported.includes(method)) ?? 'none',
    ...(scope !== undefined && { scope }),
    ...(softwareId !== undefined && { software_id: softwareId }),
    ...(softwareStatement !== undefined && { software_statement: softwareStatement }),
  };
}

function readClient(registered: oauth.OmitSymbolProperties<oauth.Client>): ProviderClient {
  const { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: method } = registered;
  if (method !== undefined && !(METHODS as readonly unknown[]).includes(method))
    throw new InvalidProviderError(
      'the authorization server registered a method of authentication that is not supported',
    );
  if (typeof clientSecret !== 'string' || method === 'none') return { clientId };
  return {
    clientId,
    clientSecret,
    authMethod: method === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic',
  };
}
