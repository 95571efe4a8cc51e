import { Module } from '@nestjs/common';
import { MeteringModule } from '../metering/metering.module.ts';
import { CallRatesRepository } from '../call-rates/call-rates.repository.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { TasksRepository } from '../tasks/tasks.repository.ts';
import { ReplicaEvents } from '../replicas/replica-events.ts';
import { DataPlane } from './data-plane.ts';

/** The MCP data plane. */
@Module({
  imports: [MeteringModule],
  providers: [DataPlane, SessionsRepository, CallRatesRepository, TasksRepository, ReplicaEvents],
  exports: [DataPlane],
})
export class DataPlaneModule {}
