import { type Caller, CurrentCaller } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query, Req } from '@nestjs/common';
import { Connection, ConnectionEnabledWrite } from '../../access/connections/connections.dto.ts';
import { GatewayPath } from '../../access/connectors/connectors.dto.ts';
import { Gateways } from '../settings/gateways.ts';
import { ToolCallIngest } from '../../tool-calls/ingest/tool-call-ingest.service.ts';
import { RequiresGateway } from '../settings/requires-gateway.ts';
import { type ClientConnection, runWhileConnected } from '../revisions/client-connection.ts';
import { ConnectionStatusBatch, ConnectionStatusReceipts, MAX_STATUSES } from './connection-statuses.dto.ts';
import { ConnectionStatusesService } from './connection-statuses.service.ts';
import { EntitlementsService } from './entitlements.service.ts';
import {
  Entitlements,
  EntitlementsPath,
  GatewayConnectionPath,
  MAX_CALLS,
  GatewaySnapshot,
  PersonQuery,
  SnapshotQuery,
  ToolCallBatch,
  ToolCallReceipts,
} from './gateway-calls.dto.ts';
import { SnapshotsService } from './snapshots.service.ts';

/** The HTTP API for connector gateways. */
@Controller('gateway/v1/gateways/:gateway_id')
export class GatewayCallsController {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly entitlements: EntitlementsService,
    private readonly statuses: ConnectionStatusesService,
    private readonly toolCalls: ToolCallIngest,
    private readonly gateways: Gateways,
  ) {}

  @Get('snapshot')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Get gateway snapshot',
    description:
      'The connectors and policies of a gateway. With If-None-Match and `wait`, the request waits for a change.',
    success: { status: 200, schema: GatewaySnapshot },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'gateway calls',
  })
  async snapshot(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Query({ schema: SnapshotQuery }) { wait }: SnapshotQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Req() request: ClientConnection,
  ): Promise<Answer<GatewaySnapshot>> {
    const { snapshot, etag } =
      wait === 0
        ? await this.snapshots.get(gateway_id, ifNoneMatch)
        : await runWhileConnected(request, (disconnected) =>
            this.snapshots.waitForChange(gateway_id, ifNoneMatch, wait, disconnected),
          );
    return withETag(snapshot, etag);
  }

  @Get('entitlements')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Get entitlements of a person',
    description:
      'The entitlements of the user that a token identifies. At the first request with the binding of a provisioned entry, the entry takes over the subject.',
    success: { status: 200, schema: Entitlements },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'gateway calls',
  })
  async ofPerson(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Query({ schema: PersonQuery }) person: PersonQuery,
    @CurrentCaller() { requestId }: Caller,
  ): Promise<Answer<Entitlements>> {
    return addVersionETag(await this.entitlements.getByVerifiedUser(gateway_id, { ...person, requestId }));
  }

  @Get('entitlements/:user_id')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Get entitlements of a user',
    success: { status: 200, schema: Entitlements },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'gateway calls',
  })
  async ofUser(
    @Param({ schema: EntitlementsPath }) { gateway_id, user_id }: EntitlementsPath,
  ): Promise<Answer<Entitlements>> {
    return addVersionETag(await this.entitlements.getByUserId(gateway_id, user_id));
  }

  @Put('connections/:user_id/:connector_id')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Enable or disable a connection for a user',
    description:
      'If-Match takes the `version` of the connection from the entitlements, in double quotes; `"0"` before the first change.',
    success: { status: 200, schema: Connection, headers: ['ETag'] },
    errors: [400, 404],
    ifMatch: 'optional',
    tag: 'gateway calls',
  })
  setConnection(
    @Param({ schema: GatewayConnectionPath }) path: GatewayConnectionPath,
    @Body({ schema: ConnectionEnabledWrite }) { enabled }: ConnectionEnabledWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Connection>> {
    return this.entitlements.setEnabled(path, enabled, ifMatch);
  }

  @Delete('connections/:user_id/:connector_id')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Clear a connection of a user',
    description:
      'Deletes the user’s settings of a connector, so that the default applies. Without settings the request changes nothing.',
    success: { status: 204 },
    errors: [400, 404],
    ifMatch: 'optional',
    tag: 'gateway calls',
  })
  clearConnection(
    @Param({ schema: GatewayConnectionPath }) path: GatewayConnectionPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.entitlements.clear(path, ifMatch);
  }

  @Post('connection-statuses')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Report connection statuses',
    description:
      'Stores the connection statuses of users at upstreams, and the tools listed there. The latest observation stays. The response is 200 with one result for each item.',
    success: { status: 200, schema: ConnectionStatusReceipts },
    errors: [400, 404, 413],
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { statuses: MAX_STATUSES }, hasUnparsedItems: true },
    tag: 'gateway calls',
  })
  async reportStatuses(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Body({ schema: ConnectionStatusBatch }) { statuses }: ConnectionStatusBatch,
  ): Promise<ConnectionStatusReceipts> {
    return { results: await this.statuses.store(gateway_id, statuses) };
  }

  @Post('tool-calls')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Report tool calls',
    description:
      'Stores each record once, by its `call_id`. A batch can be repeated safely. The response is 200 with one result for each item.',
    success: { status: 200, schema: ToolCallReceipts },
    errors: [400, 404, 413],
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { calls: MAX_CALLS }, hasUnparsedItems: true },
    tag: 'gateway calls',
  })
  async report(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Body({ schema: ToolCallBatch }) { calls }: ToolCallBatch,
  ): Promise<ToolCallReceipts> {
    this.gateways.require(gateway_id);
    return { results: await this.toolCalls.store(gateway_id, calls) };
  }
}

const addVersionETag = (entitlements: Entitlements) => withETag(entitlements, `"${entitlements.version}"`);
