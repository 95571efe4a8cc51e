import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ConnectorPath } from '../connectors/connectors.dto.ts';
import { ConnectFlow } from './connect.dto.ts';
import { ConnectService } from './connect.service.ts';

/** The caller's own sign-ins at the providers of connectors. */
@Controller('v1/users/me/gateway/connectors/:connector_id/connect')
export class ConnectController {
  constructor(private readonly connect: ConnectService) {}

  @Post()
  @HttpCode(200)
  @Requires('user')
  @Operation({
    summary: "Start a connector's upstream connect flow",
    description:
      'Returns the page on which the caller signs in at the provider of the connector. It is 409 for a connector that needs no sign-in. The connection status becomes `connected` at the end.',
    success: { status: 200, schema: ConnectFlow },
    errors: [400, 404, 409, 503],
  })
  begin(@CurrentCaller() caller: Caller, @Param({ schema: ConnectorPath }) path: ConnectorPath): Promise<ConnectFlow> {
    return this.connect.begin(caller, path.connector_id);
  }

  @Delete()
  @Requires('user')
  @Operation({
    summary: 'Disconnect connector',
    description:
      'Revokes the caller’s tokens for the connector at its provider where it can be, and deletes them. Without tokens nothing changes.',
    success: { status: 204 },
    errors: [400, 404, 409, 503],
  })
  end(@CurrentCaller() caller: Caller, @Param({ schema: ConnectorPath }) path: ConnectorPath): Promise<void> {
    return this.connect.end(caller, path.connector_id);
  }
}
