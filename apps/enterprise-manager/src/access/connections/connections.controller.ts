import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ConnectorPath } from '../connectors/connectors.dto.ts';
import { IdPath } from '../../validation/text.ts';
import { Connection, ConnectionListQuery, ConnectionPage } from './connections.dto.ts';
import { ConnectionsService } from './connections.service.ts';

/** Operations of administrators on the connections of all users. */
@Controller('v1')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Get('gateways/:gateway_id/connectors/:id/connections')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List connector connections',
    success: { status: 200, schema: ConnectionPage },
    errors: [400, 404],
    tag: 'connections',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
    @Query({ schema: ConnectionListQuery }) query: ConnectionListQuery,
  ): Promise<ConnectionPage> {
    return this.connections.listOfConnector(caller, path, query);
  }

  @Get('connections/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get connection',
    success: { status: 200, schema: Connection, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'connections',
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<Connection>> {
    const { connection, etag } = await this.connections.get(id);
    return withETag(connection, etag);
  }
}
