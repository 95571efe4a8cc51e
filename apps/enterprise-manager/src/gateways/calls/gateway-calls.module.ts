import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../../access/connections/connections.module.ts';
import { ConnectorsModule } from '../../access/connectors/connectors.module.ts';
import { GatewaysModule } from '../settings/gateways.module.ts';
import { GroupsModule } from '../../people/groups/groups.module.ts';
import { ToolCallsModule } from '../../tool-calls/tool-calls.module.ts';
import { IdentityProviderStoreModule } from '../../access/identity-providers/identity-provider-store.module.ts';
import { PolicyStoreModule } from '../../access/connectors/policy-store.module.ts';
import { RevisionsModule } from '../revisions/revisions.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { ConnectorGatewaySettingsModule } from '../connector-gateway-settings/connector-gateway-settings.module.ts';
import { ConnectionStatusesService } from './connection-statuses.service.ts';
import { EntitlementsService } from './entitlements.service.ts';
import { GatewayCallsController } from './gateway-calls.controller.ts';
import { SnapshotsRepository } from './snapshots.repository.ts';
import { SnapshotsService } from './snapshots.service.ts';

/** The requests and reports of connector gateways. */
@Module({
  imports: [
    IdentityProviderStoreModule,
    ConnectionsModule,
    ConnectorsModule,
    ConnectorGatewaySettingsModule,
    GatewaysModule,
    GroupsModule,
    ToolCallsModule,
    PolicyStoreModule,
    RevisionsModule,
    UsersModule,
  ],
  controllers: [GatewayCallsController],
  providers: [SnapshotsService, SnapshotsRepository, EntitlementsService, ConnectionStatusesService],
})
export class GatewayCallsModule {}
