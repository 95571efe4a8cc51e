import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/directory.module.ts';
import { MeteringModule } from '../metering/metering.module.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { DataPlane } from './data-plane.ts';

/** The MCP data plane. */
@Module({
  imports: [DirectoryModule, MeteringModule],
  providers: [DataPlane, SessionsRepository],
  exports: [DataPlane],
})
export class DataPlaneModule {}
