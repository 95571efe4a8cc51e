import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.ts';
import { DataPlaneModule } from '../data-plane/data-plane.module.ts';
import { ConnectionStatuses } from '../connection-statuses/connection-statuses.ts';
import { VaultModule } from '../vault/vault.module.ts';
import { ConnectorsController } from './connectors.controller.ts';
import { ConnectorsService } from './connectors.service.ts';

/** The control plane: a user's own connectors. */
@Module({
  imports: [CredentialsModule, DataPlaneModule, VaultModule],
  controllers: [ConnectorsController],
  providers: [ConnectorsService, ConnectionStatuses],
  exports: [ConnectorsService],
})
export class ConnectorsModule {}
