import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Connector, GatewayPath } from '../connectors/connectors.dto.ts';
import { DiscoveredServerAdmission, DiscoveredServerPath, DiscoveredServers } from './discovered-servers.dto.ts';
import { DiscoveredServersService } from './discovered-servers.service.ts';

/** Operations of administrators on the MCP servers of the cluster. */
@Controller('v1/gateways/:gateway_id/discovered-servers')
export class DiscoveredServersController {
  constructor(private readonly servers: DiscoveredServersService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List discovered MCP servers',
    description:
      'Lists the servers of custom resources of MCP operators and of annotated Services, with the connectors that have the same endpoint. The list is empty without a cluster.',
    success: { status: 200, schema: DiscoveredServers },
    errors: [400, 404, 503],
    tag: 'connectors',
  })
  list(@Param({ schema: GatewayPath }) { gateway_id }: GatewayPath): Promise<DiscoveredServers> {
    return this.servers.list(gateway_id);
  }

  @Post(':id/admit')
  @Requires('admin')
  @Operation({
    summary: 'Admit discovered MCP server',
    description:
      'Creates a connector with the current endpoint of the server. It is a draft unless `draft` is `false`. The response is 409 if a connector has the endpoint already.',
    success: { status: 201, schema: Connector, headers: ['ETag'] },
    errors: [400, 404, 409, 422, 503],
    tag: 'connectors',
  })
  async admit(
    @CurrentCaller() caller: Caller,
    @Param({ schema: DiscoveredServerPath }) path: DiscoveredServerPath,
    @Body({ schema: DiscoveredServerAdmission }) body: DiscoveredServerAdmission,
  ): Promise<Answer<Connector>> {
    const connector = await this.servers.admit(caller, path, body);
    return withETag(connector, computeETag(connector));
  }
}
