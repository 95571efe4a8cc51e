import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, etagOf, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Connector, GatewayPath } from '../connectors/connectors.dto.ts';
import { AdmissionOfServer, DiscoveredServerPath, DiscoveredServers } from './discovery.dto.ts';
import { DiscoveryService } from './discovery.service.ts';

/** MCP servers of the cluster over HTTP, for administrators. */
@Controller('v1/gateways/:gateway_id/discovered-servers')
export class DiscoveryController {
  constructor(private readonly discovery: DiscoveryService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List discovered MCP servers',
    description:
      'What custom resources of MCP operators and annotated Services say, with the connectors that have each endpoint already. Without a cluster there are none.',
    success: { status: 200, schema: DiscoveredServers },
    errors: [400, 404, 503],
    tag: 'connectors',
  })
  list(@Param({ schema: GatewayPath }) { gateway_id }: GatewayPath): Promise<DiscoveredServers> {
    return this.discovery.list(gateway_id);
  }

  @Post(':id/admit')
  @Requires('admin')
  @Operation({
    summary: 'Admit discovered MCP server',
    description:
      'Makes a connector with the endpoint that the cluster says now; a draft, unless `draft` is false. 409 when a connector has the endpoint already.',
    success: { status: 201, schema: Connector, headers: ['ETag'] },
    errors: [400, 404, 409, 422, 503],
    tag: 'connectors',
  })
  async admit(
    @CurrentCaller() caller: Caller,
    @Param({ schema: DiscoveredServerPath }) path: DiscoveredServerPath,
    @Body({ schema: AdmissionOfServer }) body: AdmissionOfServer,
  ): Promise<Answer<Connector>> {
    const connector = await this.discovery.admit(caller, path, body);
    return withETag(connector, etagOf(connector));
  }
}
