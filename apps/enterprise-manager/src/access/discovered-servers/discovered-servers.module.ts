import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { ClusterServers } from './cluster-servers.ts';
import { DiscoveredServersController } from './discovered-servers.controller.ts';
import { DiscoveredServersService } from './discovered-servers.service.ts';

/** MCP servers in the cluster, and their admission as connectors. */
@Module({
  imports: [ConnectorsModule, GatewaysModule],
  controllers: [DiscoveredServersController],
  providers: [DiscoveredServersService, ClusterServers],
})
export class DiscoveredServersModule {}
