import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, computeETag, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  Connector,
  ConnectorListQuery,
  ConnectorPage,
  ConnectorPath,
  ConnectorWrite,
  GatewayPath,
} from './connectors.dto.ts';
import { ConnectorsService } from './connectors.service.ts';

/** Connectors over HTTP, for administrators. */
@Controller('v1/gateways/:gateway_id/connectors')
export class ConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List connectors',
    success: { status: 200, schema: ConnectorPage },
    errors: [400, 404],
    tag: 'connectors',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GatewayPath }) path: GatewayPath,
    @Query({ schema: ConnectorListQuery }) query: ConnectorListQuery,
  ): Promise<ConnectorPage> {
    return this.connectors.list(caller, path.gateway_id, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create connector',
    description:
      'With `draft` false the endpoint is called first: the connector is then available, or failure with the reason in `status_message`.',
    success: { status: 201, schema: Connector, headers: ['ETag'] },
    errors: [400, 404, 409, 422],
    tag: 'connectors',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GatewayPath }) path: GatewayPath,
    @Body({ schema: ConnectorWrite }) body: ConnectorWrite,
  ): Promise<Answer<Connector>> {
    const connector = await this.connectors.create(caller, path.gateway_id, body);
    return withETag(connector, computeETag(connector));
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get connector',
    success: { status: 200, schema: Connector },
    errors: [400, 404],
    ifNoneMatch: true,
    tag: 'connectors',
  })
  async get(@Param({ schema: ConnectorPath }) path: ConnectorPath): Promise<Answer<Connector>> {
    const connector = await this.connectors.get(path);
    return withETag(connector, computeETag(connector));
  }

  @Put(':id')
  @Requires('admin')
  @Operation({
    summary: 'Update connector',
    description:
      'Replaces the whole state. `draft` false publishes and calls the endpoint first; `draft` true takes the connector back at once. The slug stays.',
    success: { status: 200, schema: Connector, headers: ['ETag'] },
    errors: [400, 404, 409, 422],
    ifMatch: 'optional',
    tag: 'connectors',
  })
  async update(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
    @Body({ schema: ConnectorWrite }) body: ConnectorWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Connector>> {
    const connector = await this.connectors.update(caller, path, body, ifMatch);
    return withETag(connector, computeETag(connector));
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'Delete connector',
    description: 'Deletes the connector with its policy and all connections to it.',
    success: { status: 204 },
    errors: [400, 404],
    ifMatch: 'optional',
    tag: 'connectors',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ConnectorPath }) path: ConnectorPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.connectors.delete(caller, path, ifMatch);
  }
}
