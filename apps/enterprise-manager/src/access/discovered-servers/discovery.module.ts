import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { Cluster } from './cluster.ts';
import { DiscoveryController } from './discovery.controller.ts';
import { DiscoveryService } from './discovery.service.ts';

/** MCP servers that run in the cluster. */
@Module({
  imports: [ConnectorsModule, GatewaysModule],
  controllers: [DiscoveryController],
  providers: [DiscoveryService, Cluster],
})
export class DiscoveryModule {}
