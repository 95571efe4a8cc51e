import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ActivityService } from './activity.service.ts';
import { MeteringController } from './metering.controller.ts';
import { ToolCallIngest } from './tool-call-ingest.service.ts';
import { ToolCallsRepository } from './tool-calls.repository.ts';

/** What was called, by whom, and whether it was allowed. */
@Module({
  imports: [ConnectorsModule, UsersModule],
  controllers: [MeteringController],
  providers: [ActivityService, ToolCallIngest, ToolCallsRepository],
  exports: [ToolCallIngest],
})
export class MeteringModule {}
