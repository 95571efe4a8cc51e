import { Module } from '@nestjs/common';
import { ConnectionStatesRepository } from '../connection-states/connection-states.repository.ts';
import { MeteringModule } from '../metering/metering.module.ts';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import { LocalDirectory } from './local-directory.ts';
import { LocalRecords } from './local-records.ts';

/** Local mode: a gateway without an enterprise manager. */
@Module({
  imports: [MeteringModule],
  providers: [ConnectionStatesRepository, LocalRecords, { provide: GatewayDirectory, useClass: LocalDirectory }],
  exports: [GatewayDirectory],
})
export class LocalModule {}
