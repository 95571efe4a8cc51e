import { getAuthority } from '@gatehouse/egress/target';
import { InvalidProviderError } from '@gatehouse/oauth-client/errors';
import type { ProtectedResource } from '@gatehouse/oauth-client/protected-resource';
import { createProvider, type Provider, type ProviderMetadata } from '@gatehouse/oauth-client/provider';
import { findClient, type RegistrationOptions, type RegistrationStore } from '@gatehouse/oauth-client/registration';
import type { Connector } from '../mcp/ports/snapshot.ts';
import type { Secrets } from '../mcp/ports/upstream-secrets.ts';
import { getProviderSecret, listTypedAddresses, type ProviderConfig, readProviderConfig } from './provider-config.ts';
import { createProviderHttp } from './provider-http.ts';
import { readProviderMetadata } from './provider-metadata.ts';
import { findProtectedResource } from './protected-resource.ts';

/** This gateway as a client of the authorization server of a connector. */
export interface UpstreamClient {
  readonly provider: Provider;
  /** The value of `resource` (RFC 8707); undefined where an administrator has turned it off. */
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  /** Further parameters of authorization requests. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly redirectUri: string;
}

/** The parts of the gateway from which a client is made. */
export interface UpstreamClientParts {
  readonly secrets: Pick<Secrets, 'get'>;
  readonly registrations: RegistrationStore;
  /** Setting of the deployment. */
  readonly allowLoopback: boolean;
  /** The redirect URI, unless the provider has another one. */
  readonly callbackUrl: string;
  /** The client id of the metadata document; undefined over http. */
  readonly clientMetadataUrl: string | undefined;
}

type SnapshotProvider = NonNullable<Connector['identity_provider']>;

/**
 * Finds the client for a connector: the provider is the one of the enterprise manager, the resource
 * and the scopes are those of the connector's server (RFC 9728) unless the provider has its own.
 * @throws ProviderUnavailableError, InvalidProviderError, ProviderRefusalError; CredentialError
 * without the secret of the client
 */
export async function createUpstreamClient(connector: Connector, parts: UpstreamClientParts): Promise<UpstreamClient> {
  const { identity_provider: identityProvider } = connector;
  const config = identityProvider && readProviderConfig(identityProvider);
  if (identityProvider === undefined || config === undefined)
    throw new InvalidProviderError('the connector has no identity provider that this gateway can use');
  const { allow_private_ips: allowPrivateIps, redirect_uri: redirectUri = parts.callbackUrl } = config;
  const typed = { addresses: listTypedAddresses(config), allowPrivateIps, allowLoopback: parts.allowLoopback };
  const http = createProviderHttp(typed);
  const metadata = await readProviderMetadata(config, typed, http);
  const options = await createRegistrationOptions(identityProvider, config, redirectUri, parts);
  const client = await findClient(metadata, http, options, parts.registrations);
  const protectedResource = await readProtectedResource(connector, parts.allowLoopback);
  return {
    provider: createProvider(metadata, client, http),
    resource: config.send_resource ? (protectedResource?.resource ?? connector.endpoint) : undefined,
    scopes: config.scopes ?? addOfflineAccess(protectedResource?.scopes ?? [], metadata),
    authorizationParameters: config.additional_authorization_params,
    redirectUri,
  };
}

/**
 * Adds `offline_access` where the provider lists it, to get a refresh token (OpenID Connect Core
 * 1.0, section 11; SEP-2207). Alone it would replace the default scopes of the provider.
 */
const addOfflineAccess = (
  scopes: readonly string[],
  { scopes_supported: supported }: ProviderMetadata,
): readonly string[] => {
  const isOffered = Array.isArray(supported) && supported.includes('offline_access');
  return isOffered && scopes.length > 0 ? [...new Set([...scopes, 'offline_access'])] : scopes;
};

/** Reads the metadata of the connector's server under the permission of its endpoint alone. */
function readProtectedResource(
  { endpoint, allow_private_ips: allowPrivateIps }: Connector,
  allowLoopback: boolean,
): Promise<ProtectedResource | undefined> {
  const url = new URL(endpoint);
  const permission = { authority: getAuthority(url), allowPrivateIps, allowLoopback };
  return findProtectedResource(
    url,
    permission,
    createProviderHttp({ addresses: [endpoint], allowPrivateIps, allowLoopback }),
  );
}

async function createRegistrationOptions(
  provider: SnapshotProvider,
  config: ProviderConfig,
  redirectUri: string,
  { secrets, clientMetadataUrl }: UpstreamClientParts,
): Promise<RegistrationOptions> {
  const { client_id: clientId, token_endpoint_auth_method: authMethod, dcr, scopes } = config;
  const findSecret = async (name: Parameters<typeof getProviderSecret>[1]) => {
    const place = getProviderSecret(provider, name);
    return place && secrets.get(place);
  };
  const token = await findSecret('dcr.initial_access_token');
  return {
    configured:
      clientId === undefined ? undefined : { clientId, clientSecret: await findSecret('client_secret'), authMethod },
    metadataDocumentUrl: clientMetadataUrl,
    description: {
      clientName: CLIENT_NAME,
      redirectUris: [redirectUri],
      applicationType: 'web',
      ...(scopes !== undefined && { scope: scopes.join(' ') }),
      ...(dcr?.software_id !== undefined && { softwareId: dcr.software_id }),
      ...(dcr?.software_statement !== undefined && { softwareStatement: dcr.software_statement }),
    },
    ...(token !== undefined && { initialAccessToken: { value: token, trustedOrigin: getRegistrarOrigin(config) } }),
  };
}

/** The name of this gateway at authorization servers. */
export const CLIENT_NAME = 'Gatehouse connector gateway';

/** The origin that an administrator typed for registrations. */
function getRegistrarOrigin(config: ProviderConfig): string {
  const own = config.kind === 'oidc' ? config.issuer_url : config.token_endpoint;
  return new URL(config.dcr?.registration_endpoint ?? config.dcr?.discovery_url ?? own).origin;
}
