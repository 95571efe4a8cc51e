import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.ts';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ActivityService } from './activity.service.ts';
import { ChainHeadsRepository } from './chain-heads.repository.ts';
import { Checkpoints } from './checkpoints.service.ts';
import { VisibleConnectors } from './visible-connectors.ts';
import { MeteringController } from './metering.controller.ts';
import { ToolCallIngest } from './tool-call-ingest.service.ts';
import { ToolCallSumsRepository } from './tool-call-sums.repository.ts';
import { ToolCallsRepository } from './tool-calls.repository.ts';
import { UsageExportRepository } from './usage-export.repository.ts';
import { UsageExportService } from './usage-export.service.ts';
import { UsageController } from './usage.controller.ts';
import { UsageRepository } from './usage.repository.ts';
import { UsageSeriesRepository } from './usage-series.repository.ts';
import { UsageService } from './usage.service.ts';
import { WhoseCalls } from './whose-calls.ts';

/** What was called, by whom, whether it was allowed, and what that comes to. */
@Module({
  imports: [ConnectionsModule, ConnectorsModule, SigningKeysModule, UsersModule],
  controllers: [MeteringController, UsageController],
  providers: [
    ActivityService,
    ChainHeadsRepository,
    Checkpoints,
    VisibleConnectors,
    ToolCallIngest,
    ToolCallSumsRepository,
    ToolCallsRepository,
    UsageExportRepository,
    UsageExportService,
    UsageRepository,
    UsageSeriesRepository,
    UsageService,
    WhoseCalls,
  ],
  exports: [ToolCallIngest],
})
export class MeteringModule {}
