import { type Caller, CurrentCaller } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query, Req } from '@nestjs/common';
import { Connection, ConnectionEnabledWrite } from '../../access/connections/connections.dto.ts';
import { GatewayPath } from '../../access/connectors/connectors.dto.ts';
import { Gateways } from '../settings/gateways.ts';
import { ToolCallIngest } from '../../tool-calls/ingest/tool-call-ingest.service.ts';
import { RequiresGateway } from '../settings/requires-gateway.ts';
import { type Hangup, whileConnected } from '../revisions/hangup.ts';
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

/** What connector gateways ask of the enterprise manager, over HTTP. */
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
    description: 'Connectors and policies. With If-None-Match and `wait` the answer waits until something changes.',
    success: { status: 200, schema: GatewaySnapshot },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'gateway calls',
  })
  async snapshot(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Query({ schema: SnapshotQuery }) { wait }: SnapshotQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Req() request: Hangup,
  ): Promise<Answer<GatewaySnapshot>> {
    const { snapshot, etag } =
      wait === 0
        ? await this.snapshots.get(gateway_id, ifNoneMatch)
        : await whileConnected(request, (gone) => this.snapshots.next(gateway_id, ifNoneMatch, wait, gone));
    return withETag(snapshot, etag);
  }

  @Get('entitlements')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Get entitlements of a person',
    description:
      'The person that a token speaks of. The first time a provisioned person comes with a binding, the entry takes over the subject.',
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
    return tagged(await this.entitlements.ofPerson(gateway_id, { ...person, requestId }));
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
    return tagged(await this.entitlements.ofUser(gateway_id, user_id));
  }

  @Put('connections/:user_id/:connector_id')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Enable or disable a connection for a user',
    description:
      'If-Match takes the `version` of the connection in the entitlements, in double quotes; 0 before the first.',
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
    description: 'Back to the default; nothing happens where it is the default already.',
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
      'Whether people are connected at upstreams, and which tools there are; the latest observation stays. The answer is 200 with one result for each item.',
    success: { status: 200, schema: ConnectionStatusReceipts },
    errors: [400, 404, 413],
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { statuses: MAX_STATUSES }, judged: true },
    tag: 'gateway calls',
  })
  async reportStatuses(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Body({ schema: ConnectionStatusBatch }) { statuses }: ConnectionStatusBatch,
  ): Promise<ConnectionStatusReceipts> {
    return { results: await this.statuses.take(gateway_id, statuses) };
  }

  @Post('tool-calls')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'Report tool calls',
    description:
      'Stores each record once by its call_id; a batch may be repeated safely. The answer is 200 with one result for each item.',
    success: { status: 200, schema: ToolCallReceipts },
    errors: [400, 404, 413],
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { calls: MAX_CALLS }, judged: true },
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

const tagged = (entitlements: Entitlements) => withETag(entitlements, `"${entitlements.version}"`);
