import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { Connector, ConnectorPage, ConnectorPath, GatewayPath } from '../connectors/connectors.dto.ts';
import { OwnConnectorListQuery } from './connections.dto.ts';
import { OwnConnectorsService } from './own-connectors.service.ts';

/** Operations on the connectors that the caller may use. */
@Controller('v1/me/gateways/:gateway_id/connectors')
export class OwnConnectorsController {
  constructor(private readonly connectors: OwnConnectorsService) {}

  @Get()
  @Requires('user')
  @Operation({
    summary: 'List connectors visible to me',
    success: { status: 200, schema: ConnectorPage },
    errors: [400, 404],
    tag: 'me',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Query({ schema: OwnConnectorListQuery }) query: OwnConnectorListQuery,
  ): Promise<ConnectorPage> {
    return this.connectors.list(caller, gateway_id, query);
  }

  @Get(':id')
  @Requires('user')
  @Operation({
    summary: 'Get a connector visible to me',
    success: { status: 200, schema: Connector },
    errors: [400, 403, 404],
    tag: 'me',
  })
  get(@CurrentCaller() caller: Caller, @Param({ schema: ConnectorPath }) path: ConnectorPath): Promise<Connector> {
    return this.connectors.get(caller, path);
  }
}
