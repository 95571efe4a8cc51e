import { getRegistrationKey } from '@gatehouse/oauth-client/registration';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '../config/config.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { ClientRegistrationsRepository } from './client-registrations.repository.ts';
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts';

/** Documents of providers and connectors are read again at this age. */
const MAX_AGE_MS = 600_000;
const MAX_CONNECTORS = 1_000;

/**
 * The clients of this gateway at the authorization servers of connectors. A client is kept for ten
 * minutes, and dropped when an administrator changes the connector, the provider or its secret.
 */
@Injectable()
export class UpstreamProviders {
  private readonly clients = new LRUCache<string, { basis: string; client: Promise<UpstreamClient> }>({
    max: MAX_CONNECTORS,
    ttl: MAX_AGE_MS,
  });

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly directory: GatewayDirectory,
    private readonly registrations: ClientRegistrationsRepository,
    private readonly origin: PublicOrigin,
  ) {}

  /**
   * The client for a connector. Parallel calls share the requests.
   * @throws as `createUpstreamClient`
   */
  get(connector: Connector): Promise<UpstreamClient> {
    const { endpoint, allow_private_ips, identity_provider } = connector;
    const basis = JSON.stringify([endpoint, allow_private_ips, identity_provider, this.origin.get()]);
    const known = this.clients.get(connector.id);
    if (known?.basis === basis) return known.client;
    const client = createUpstreamClient(connector, {
      secrets: this.directory.secrets,
      registrations: this.registrations,
      allowLoopback: this.settings.ALLOW_LOOPBACK_UPSTREAMS,
      callbackUrl: this.origin.getCallbackUrl(),
      clientMetadataUrl: this.origin.findClientMetadataUrl(),
    });
    this.clients.set(connector.id, { basis, client });
    client.catch(() => {
      if (this.clients.peek(connector.id)?.client === client) this.clients.delete(connector.id);
    });
    return client;
  }

  /** Forgets the client of a connector, and its dynamic registration, which the server refused. */
  async forget(connector: Connector): Promise<void> {
    const client = await this.clients.peek(connector.id)?.client.catch(() => undefined);
    this.clients.delete(connector.id);
    if (client === undefined) return;
    await this.registrations.delete(getRegistrationKey(client.provider.metadata.issuer, [client.redirectUri]));
  }
}
