import type { ProviderClient, ProviderMetadata } from '@gatehouse/oauth-client/provider';
import { createProvider, type Provider } from '@gatehouse/oauth-client/provider';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '../config/config.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { CredentialError, getSecretPlace } from '../mcp/ports/upstream-secrets.ts';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import {
  getProviderSecret,
  listTypedAddresses,
  type ProviderConfig,
  readProviderConfig,
} from '../providers/provider-config.ts';
import { createProviderHttp, type TypedAddresses } from '../providers/provider-http.ts';
import { readProviderMetadata } from '../providers/provider-metadata.ts';
import { UpstreamProviders } from '../providers/upstream-providers.ts';

/** Documents of providers are read again at this age. */
const MAX_AGE_MS = 600_000;
const MAX_CONNECTORS = 1_000;

/** A token endpoint with the gateway as its client. */
export interface EndpointRequest {
  /** The address; default: the token endpoint of the connector's identity provider. */
  readonly tokenUrl: string | undefined;
  /** Whether the address may be private and plain http. */
  readonly isInsecure?: boolean;
  /** The client; default: the gateway as the client of the identity provider. */
  readonly clientId: string | undefined;
  /** The field of the client's secret in the authentication. */
  readonly secretField: string;
  /** Whether the endpoint is of the identity provider, so that its client is the default. */
  readonly isOfProvider: boolean;
  readonly authMethod?: ProviderClient['authMethod'];
}

/** Finds the token endpoints of connectors, under the address rules of the gateway. */
@Injectable()
export class ExchangeEndpoints {
  private readonly metadata = new LRUCache<string, { basis: string; metadata: Promise<ProviderMetadata> }>({
    max: MAX_CONNECTORS,
    ttl: MAX_AGE_MS,
  });

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly directory: GatewayDirectory,
    private readonly providers: UpstreamProviders,
  ) {}

  /**
   * A token endpoint of a connector, with its client.
   * @throws CredentialError without the secret or the provider; ProviderUnavailableError,
   * InvalidProviderError
   */
  async find(connector: Connector, request: EndpointRequest): Promise<Provider> {
    const config = connector.identity_provider && readProviderConfig(connector.identity_provider);
    const typed = this.listTyped(connector, config, request);
    const { tokenUrl } = request;
    const metadata =
      tokenUrl === undefined
        ? await this.readMetadata(connector, config, typed)
        : { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
    const client = await this.findClient(connector, config, metadata, request);
    return createProvider(metadata, client, createProviderHttp(typed));
  }

  /** The addresses that an administrator permitted to be private. */
  private listTyped(
    { endpoint, allow_private_ips }: Connector,
    config: ProviderConfig | undefined,
    { tokenUrl, isInsecure = false }: EndpointRequest,
  ): TypedAddresses {
    const addresses = [
      ...(allow_private_ips ? [endpoint] : []),
      ...(config?.allow_private_ips === true ? listTypedAddresses(config) : []),
      ...(isInsecure && tokenUrl !== undefined ? [tokenUrl] : []),
    ];
    return { addresses, allowPrivateIps: addresses.length > 0, allowLoopback: this.settings.ALLOW_LOOPBACK_UPSTREAMS };
  }

  private readMetadata(
    { id }: Connector,
    config: ProviderConfig | undefined,
    typed: TypedAddresses,
  ): Promise<ProviderMetadata> {
    if (config === undefined) throw createNoProviderError();
    const basis = JSON.stringify([config, typed]);
    const known = this.metadata.get(id);
    if (known?.basis === basis) return known.metadata;
    const metadata = readProviderMetadata(config, typed, createProviderHttp(typed));
    this.metadata.set(id, { basis, metadata });
    metadata.catch(() => {
      if (this.metadata.peek(id)?.metadata === metadata) this.metadata.delete(id);
    });
    return metadata;
  }

  private async findClient(
    connector: Connector,
    config: ProviderConfig | undefined,
    metadata: ProviderMetadata,
    { clientId, secretField, isOfProvider, authMethod }: EndpointRequest,
  ): Promise<ProviderClient> {
    const { secrets } = this.directory;
    const method = authMethod ?? config?.token_endpoint_auth_method ?? selectMethod(metadata);
    if (clientId !== undefined) {
      const place = getSecretPlace(connector.auth, secretField);
      return { clientId, clientSecret: place && (await secrets.get(place)), authMethod: method };
    }
    const { identity_provider: provider } = connector;
    if (!isOfProvider || config === undefined || provider === undefined) return NO_CLIENT;
    if (config.client_id === undefined) return (await this.providers.get(connector)).provider.client;
    const place = getProviderSecret(provider, 'client_secret');
    return { clientId: config.client_id, clientSecret: place && (await secrets.get(place)), authMethod: method };
  }
}

/** No request names a client. */
const NO_CLIENT: ProviderClient = { clientId: 'none', authMethod: 'omitted' };

/** The method of client authentication that a server supports, if its document has a list. */
function selectMethod({
  token_endpoint_auth_methods_supported: methods,
}: ProviderMetadata): ProviderClient['authMethod'] {
  const isPostOnly = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
  return isPostOnly ? 'client_secret_post' : undefined;
}

const createNoProviderError = (): CredentialError =>
  new CredentialError('cannot be called, because it has no identity provider that the gateway can use');
