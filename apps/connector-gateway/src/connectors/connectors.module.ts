import { Module } from '@nestjs/common';
import { DataPlaneModule } from '../data-plane/data-plane.module.ts';
import { ConnectorsController } from './connectors.controller.ts';
import { ConnectorsService } from './connectors.service.ts';

/** The control plane: a user's own connectors. */
@Module({
  imports: [DataPlaneModule],
  controllers: [ConnectorsController],
  providers: [ConnectorsService],
  exports: [ConnectorsService],
})
export class ConnectorsModule {}
