import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.ts';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { GroupsModule } from '../groups/groups.module.ts';
import { MeteringModule } from '../metering/metering.module.ts';
import { IdentityProviderStoreModule } from '../identity-providers/identity-provider-store.module.ts';
import { PolicyStoreModule } from '../policies/policy-store.module.ts';
import { RevisionsModule } from '../revisions/revisions.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ConnectionStatusesService } from './connection-statuses.service.ts';
import { EntitlementsService } from './entitlements.service.ts';
import { GatewayCallsController } from './gateway-calls.controller.ts';
import { SnapshotsRepository } from './snapshots.repository.ts';
import { SnapshotsService } from './snapshots.service.ts';

/** What connector gateways ask and report. */
@Module({
  imports: [
    IdentityProviderStoreModule,
    ConnectionsModule,
    ConnectorsModule,
    GroupsModule,
    MeteringModule,
    PolicyStoreModule,
    RevisionsModule,
    UsersModule,
  ],
  controllers: [GatewayCallsController],
  providers: [SnapshotsService, SnapshotsRepository, EntitlementsService, ConnectionStatusesService],
})
export class GatewayCallsModule {}
