import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { ConnectorGatewaySettingsController } from './connector-gateway-settings.controller.ts';
import { ConnectorGatewaySettingsRepository } from './connector-gateway-settings.repository.ts';
import { ConnectorGatewaySettingsService } from './connector-gateway-settings.service.ts';

/** The settings of connector gateways that administrators write. */
@Module({
  imports: [AuditModule, GatewaysModule],
  controllers: [ConnectorGatewaySettingsController],
  providers: [ConnectorGatewaySettingsService, ConnectorGatewaySettingsRepository],
  exports: [ConnectorGatewaySettingsRepository],
})
export class ConnectorGatewaySettingsModule {}
