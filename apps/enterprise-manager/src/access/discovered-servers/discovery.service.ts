import type { Caller } from '@gatehouse/service-kit/access';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { Connector } from '../connectors/connectors.dto.ts';
import { ConnectorsRepository } from '../connectors/connectors.repository.ts';
import { ConnectorsService } from '../connectors/connectors.service.ts';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { Cluster } from './cluster.ts';
import {
  type AdmissionOfServer,
  type DiscoveredServerPath,
  type DiscoveredServers,
  toDiscoveredServer,
} from './discovery.dto.ts';
import { endpointKey } from './found-server.ts';

/**
 * The MCP servers of the cluster beside the connectors of a gateway, and how one becomes a
 * connector.
 */
@Injectable()
export class DiscoveryService {
  constructor(
    private readonly cluster: Cluster,
    private readonly connectors: ConnectorsRepository,
    private readonly creating: ConnectorsService,
    private readonly gateways: Gateways,
  ) {}

  /** @throws HttpError not_found, unavailable */
  async list(gatewayId: string): Promise<DiscoveredServers> {
    this.gateways.require(gatewayId);
    const servers = await this.cluster.servers();
    const holders = await this.holdersOf(gatewayId);
    return {
      servers: servers.map((server) => toDiscoveredServer(server, holders.get(endpointKey(server.endpoint)) ?? [])),
    };
  }

  /**
   * Makes a connector of a server, as the cluster describes it now.
   * @throws HttpError not_found, unavailable, conflict when a connector has the endpoint or the
   * name, and what creating a connector is refused for
   */
  async admit(
    caller: Caller,
    { gateway_id, id }: DiscoveredServerPath,
    { name, draft }: AdmissionOfServer,
  ): Promise<Connector> {
    this.gateways.require(gateway_id);
    const server = (await this.cluster.servers()).find((one) => one.id === id) ?? noSuchServer();
    const [holder] = (await this.holdersOf(gateway_id)).get(endpointKey(server.endpoint)) ?? [];
    if (holder !== undefined)
      throw new HttpError('conflict', `the connector ${holder.name} has the endpoint of this server already`);
    return this.creating.create(
      caller,
      gateway_id,
      {
        name: name ?? server.name,
        endpoint: server.endpoint,
        transport: server.transport,
        draft: draft ?? true,
        allow_private_ips: server.allowPrivateIps,
        origin: 'kubernetes_cluster',
        source_name: server.name,
        source_namespace: server.namespace,
        ...(server.description !== undefined && { description: server.description }),
      },
      'Admit discovered MCP server',
    );
  }

  private async holdersOf(gatewayId: string): Promise<Map<string | undefined, { id: string; name: string }[]>> {
    const holders = new Map<string | undefined, { id: string; name: string }[]>();
    for (const { id, name, endpoint } of await this.connectors.endpoints(gatewayId)) {
      const key = endpointKey(endpoint);
      holders.set(key, [...(holders.get(key) ?? []), { id, name }]);
    }
    return holders;
  }
}

function noSuchServer(): never {
  throw new HttpError('not_found', 'there is no such server in the cluster');
}
