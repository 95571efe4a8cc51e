import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import {
  ConnectionStatus,
  ConnectorList,
  ConnectorPath,
  ConnectorState,
  ConnectorStateWrite,
  GatewayView,
  StatusList,
  ToolsList,
} from './connectors.dto.ts';
import { ConnectorsService } from './connectors.service.ts';

/** The caller's own connectors at this gateway. */
@Controller('v1/users/me/gateway')
export class ConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  @Get()
  @Requires('user')
  @Operation({
    summary: "Get the caller's gateway view",
    success: { status: 200, schema: GatewayView },
    errors: [503],
    ifNoneMatch: true,
  })
  view(@CurrentCaller() caller: Caller): Promise<Answer<GatewayView>> {
    return this.connectors.getView(caller);
  }

  @Get('connectors')
  @Requires('user')
  @Operation({
    summary: "List the caller's connectors",
    success: { status: 200, schema: ConnectorList },
    errors: [501, 503],
    ifNoneMatch: true,
  })
  list(@CurrentCaller() caller: Caller): Promise<Answer<ConnectorList>> {
    return this.connectors.listConnectors(caller);
  }

  @Get('connectors/status')
  @Requires('user')
  @Operation({
    summary: "List every connector's upstream connection status",
    success: { status: 200, schema: StatusList },
    errors: [503],
    ifNoneMatch: true,
  })
  statuses(@CurrentCaller() caller: Caller): Promise<Answer<StatusList>> {
    return this.connectors.listStatuses(caller);
  }

  @Get('connectors/:connector_id')
  @Requires('user')
  @Operation({
    summary: "Get one connector's current state",
    success: { status: 200, schema: ConnectorState },
    errors: [400, 404, 501, 503],
    ifNoneMatch: true,
  })
  state(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
  ): Promise<Answer<ConnectorState>> {
    return this.connectors.getState(caller, path.connector_id);
  }

  @Put('connectors/:connector_id')
  @Requires('user')
  @Operation({
    summary: "Set a connector's enable/disable state",
    success: { status: 200, schema: ConnectorState, headers: ['ETag'] },
    errors: [400, 404, 501, 503],
    ifMatch: 'required',
  })
  set(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
    @Body({ schema: ConnectorStateWrite }) body: ConnectorStateWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorState>> {
    return this.connectors.setState(caller, path.connector_id, body.enabled, ifMatch);
  }

  @Delete('connectors/:connector_id')
  @Requires('user')
  @Operation({
    summary: "Clear a connector's explicit state (revert to default)",
    success: { status: 204 },
    errors: [400, 404, 501, 503],
    ifMatch: 'required',
  })
  clear(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.connectors.clearState(caller, path.connector_id, ifMatch);
  }

  @Get('connectors/:connector_id/status')
  @Requires('user')
  @Operation({
    summary: "Get one connector's upstream connection status",
    success: { status: 200, schema: ConnectionStatus },
    errors: [400, 404, 503],
    ifNoneMatch: true,
  })
  status(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
  ): Promise<Answer<ConnectionStatus>> {
    return this.connectors.getStatus(caller, path.connector_id);
  }

  @Get('connectors/:connector_id/tools')
  @Requires('user')
  @Operation({
    summary: "List a Connector's Tools",
    success: { status: 200, schema: ToolsList },
    errors: [400, 404, 502, 503],
  })
  tools(@CurrentCaller() caller: Caller, @Param({ schema: ConnectorPath }) path: ConnectorPath): Promise<ToolsList> {
    return this.connectors.listTools(caller, path.connector_id);
  }
}
