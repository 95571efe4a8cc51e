import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { GroupsModule } from '../../people/groups/groups.module.ts';
import { PoliciesModule } from '../policies/policies.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { ConnectionsController } from './connections.controller.ts';
import { ConnectionsRepository } from './connections.repository.ts';
import { ConnectionsService } from './connections.service.ts';
import { OwnAccess } from './own-access.ts';
import { OwnConnectionsController } from './own-connections.controller.ts';
import { OwnConnectorsController } from './own-connectors.controller.ts';
import { OwnConnectorsService } from './own-connectors.service.ts';

/** Connections, and the connectors that users may use. */
@Module({
  imports: [ConnectorsModule, GatewaysModule, PoliciesModule, UsersModule, GroupsModule],
  controllers: [ConnectionsController, OwnConnectionsController, OwnConnectorsController],
  providers: [ConnectionsService, ConnectionsRepository, OwnConnectorsService, OwnAccess],
  exports: [ConnectionsRepository, OwnAccess],
})
export class ConnectionsModule {}
