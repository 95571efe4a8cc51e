import type { Caller } from '@gatehouse/service-kit/access';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import type { Connector } from '../connectors/connectors.dto.ts';
import { ConnectorsRepository } from '../connectors/connectors.repository.ts';
import { ConnectorsService } from '../connectors/connectors.service.ts';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { ClusterServers } from './cluster-servers.ts';
import {
  type DiscoveredServerAdmission,
  type DiscoveredServerPath,
  type DiscoveredServers,
  toDiscoveredServer,
} from './discovered-servers.dto.ts';
import { getEndpointKey } from './cluster-server.ts';

/** Lists the MCP servers of the cluster with their connectors, and admits them. */
@Injectable()
export class DiscoveredServersService {
  constructor(
    private readonly cluster: ClusterServers,
    private readonly repository: ConnectorsRepository,
    private readonly connectors: ConnectorsService,
    private readonly gateways: Gateways,
  ) {}

  /** @throws HttpError not_found, unavailable */
  async list(gatewayId: string): Promise<DiscoveredServers> {
    this.gateways.require(gatewayId);
    const servers = await this.cluster.list();
    const byEndpoint = await this.findConnectorsByEndpoint(gatewayId);
    return {
      servers: servers.map((server) =>
        toDiscoveredServer(server, byEndpoint.get(getEndpointKey(server.endpoint)) ?? []),
      ),
    };
  }

  /**
   * Creates a connector for a server, as the cluster describes it now.
   * @throws HttpError not_found, unavailable, conflict if a connector has the endpoint or the name,
   * and the errors of `ConnectorsService.create`
   */
  async admit(
    caller: Caller,
    { gateway_id, id }: DiscoveredServerPath,
    { name, draft }: DiscoveredServerAdmission,
  ): Promise<Connector> {
    this.gateways.require(gateway_id);
    const server = (await this.cluster.list()).find((one) => one.id === id) ?? throwNoSuchServer();
    const [existing] = (await this.findConnectorsByEndpoint(gateway_id)).get(getEndpointKey(server.endpoint)) ?? [];
    if (existing !== undefined)
      throw new HttpError('conflict', `the connector ${existing.name} has the endpoint of this server already`);
    return this.connectors.create(
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

  private async findConnectorsByEndpoint(
    gatewayId: string,
  ): Promise<Map<string | undefined, { id: string; name: string }[]>> {
    const byEndpoint = new Map<string | undefined, { id: string; name: string }[]>();
    for (const { id, name, endpoint } of await this.repository.listEndpoints(gatewayId)) {
      const key = getEndpointKey(endpoint);
      byEndpoint.set(key, [...(byEndpoint.get(key) ?? []), { id, name }]);
    }
    return byEndpoint;
  }
}

function throwNoSuchServer(): never {
  throw new HttpError('not_found', 'there is no such server in the cluster');
}
