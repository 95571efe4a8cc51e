import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { GatewayPath } from '../../access/connectors/connectors.dto.ts';
import { ConnectorGatewaySettings } from './connector-gateway-settings.dto.ts';
import { ConnectorGatewaySettingsService } from './connector-gateway-settings.service.ts';

/** The routes of the settings of a connector gateway, for administrators. */
@Controller('v1/gateways/:gateway_id/settings')
export class ConnectorGatewaySettingsController {
  constructor(private readonly settings: ConnectorGatewaySettingsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get gateway settings',
    description: 'Returns the settings of a connector gateway. Before the first write, all limits are null.',
    success: { status: 200, schema: ConnectorGatewaySettings },
    errors: [404],
    ifNoneMatch: true,
    tag: 'connectors',
  })
  async get(@Param({ schema: GatewayPath }) { gateway_id }: GatewayPath): Promise<Answer<ConnectorGatewaySettings>> {
    const { settings, etag } = await this.settings.get(gateway_id);
    return withETag(settings, etag);
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put gateway settings',
    description:
      'Replaces all settings of a connector gateway. The replicas of the gateway apply them within a second, also to open sessions. Calls that are under way are not ended. The deletion of a connector deletes its settings.',
    success: { status: 200, schema: ConnectorGatewaySettings, headers: ['ETag'] },
    errors: [404, 422],
    ifMatch: 'optional',
    tag: 'connectors',
  })
  async put(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GatewayPath }) { gateway_id }: GatewayPath,
    @Body({ schema: ConnectorGatewaySettings }) body: ConnectorGatewaySettings,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorGatewaySettings>> {
    const { settings, etag } = await this.settings.put(caller, gateway_id, body, ifMatch);
    return withETag(settings, etag);
  }
}
