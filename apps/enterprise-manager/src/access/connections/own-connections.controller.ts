import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  Connection,
  ConnectionCreate,
  ConnectionEnabledWrite,
  ConnectionPage,
  ConnectionToolPolicyWrite,
  OwnConnectionListQuery,
} from './connections.dto.ts';
import { ConnectionsService, type TaggedConnection } from './connections.service.ts';

/** Operations on the caller's connections. A connector that the caller may not use is 404. */
@Controller('v1/me/connections')
export class OwnConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Get()
  @Requires('user')
  @Operation({
    summary: 'List my connections',
    success: { status: 200, schema: ConnectionPage },
    errors: [400, 403, 404],
    tag: 'me',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: OwnConnectionListQuery }) query: OwnConnectionListQuery,
  ): Promise<ConnectionPage> {
    return this.connections.listOwn(caller, query);
  }

  @Post()
  @Requires('user')
  @Operation({
    summary: 'Create my connection',
    success: { status: 201, schema: Connection, headers: ['ETag'] },
    errors: [400, 403, 404, 409],
    tag: 'me',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ConnectionCreate }) body: ConnectionCreate,
  ): Promise<Answer<Connection>> {
    return createResponse(await this.connections.createOwn(caller, body));
  }

  @Get(':id')
  @Requires('user')
  @Operation({
    summary: 'Get my connection',
    success: { status: 200, schema: Connection, headers: ['ETag'] },
    errors: [400, 403, 404],
    ifNoneMatch: true,
    tag: 'me',
  })
  async get(@CurrentCaller() caller: Caller, @Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<Connection>> {
    return createResponse(await this.connections.getOwn(caller, id));
  }

  @Delete(':id')
  @Requires('user')
  @Operation({
    summary: 'Delete my connection',
    description: 'Resets the connector to its default for the caller, which is disabled.',
    success: { status: 204 },
    errors: [400, 403, 404],
    ifMatch: 'optional',
    tag: 'me',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.connections.deleteOwn(caller, id, ifMatch);
  }

  @Put(':id/enabled')
  @Requires('user')
  @Operation({
    summary: 'Enable or disable my connection',
    success: { status: 200, schema: Connection, headers: ['ETag'] },
    errors: [400, 403, 404],
    ifMatch: 'optional',
    tag: 'me',
  })
  async setEnabled(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: ConnectionEnabledWrite }) body: ConnectionEnabledWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Connection>> {
    return createResponse(await this.connections.changeOwn(caller, id, body, ifMatch));
  }

  @Put(':id/tool-policy')
  @Requires('user')
  @Operation({
    summary: "Set my connection's tool narrowing",
    success: { status: 200, schema: Connection, headers: ['ETag'] },
    errors: [400, 403, 404, 413],
    ifMatch: 'optional',
    tag: 'me',
  })
  async setToolPolicy(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: ConnectionToolPolicyWrite }) body: ConnectionToolPolicyWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Connection>> {
    const settings = {
      tools_enabled_by_default: body.tools_enabled_by_default,
      tools_exception_list: body.tools_exception_list ?? [],
    };
    return createResponse(await this.connections.changeOwn(caller, id, settings, ifMatch));
  }
}

const createResponse = ({ connection, etag }: TaggedConnection): Answer<Connection> => withETag(connection, etag);
