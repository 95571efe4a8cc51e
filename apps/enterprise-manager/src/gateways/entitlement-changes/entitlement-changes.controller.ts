import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { GatewayPath } from '../../access/connectors/connectors.dto.ts';
import { ChangesQuery } from '../revisions/changes.dto.ts';
import { type ClientConnection, runWhileConnected } from '../revisions/client-connection.ts';
import { RequiresGateway } from '../settings/requires-gateway.ts';
import { EntitlementChanges } from './entitlement-changes.dto.ts';
import { EntitlementChangesService } from './entitlement-changes.service.ts';

/** The HTTP API by which connector gateways learn about changed entitlements. */
@Controller('gateway/v1/gateways/:gateway_id')
export class EntitlementChangesController {
  constructor(private readonly entitlements: EntitlementChangesService) {}

  @Get('entitlement-changes')
  @RequiresGateway({ kinds: ['connector'] })
  @Operation({
    summary: 'List changed entitlements',
    description:
      'Lists the users whose entitlements at the gateway have changed after a version. Without such a change, the request waits up to `wait` seconds for one. A gateway sends its first request without `after` and each further one with the `version` of the last response. It requests the entitlements of listed users again, and repeats requests that began before the response. A gateway without a response for 60 s refuses all users.',
    success: { status: 200, schema: EntitlementChanges },
    errors: [400, 404],
    tag: 'gateway calls',
  })
  async changes(
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Query({ schema: ChangesQuery }) { after, wait }: ChangesQuery,
    @Req() request: ClientConnection,
  ): Promise<Answer<EntitlementChanges>> {
    const changes = await runWhileConnected(request, (disconnected) =>
      this.entitlements.listChanges(gateway_id, after, wait * 1_000, disconnected),
    );
    return withHeaders(changes, { 'cache-control': 'no-store' });
  }
}
