import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../access/connections/connections.module.ts';
import { GatewaysModule } from '../gateways/settings/gateways.module.ts';
import { SigningKeysModule } from '../client-config/signing-keys/signing-keys.module.ts';
import { UsersModule } from '../people/users/users.module.ts';
import { ActivityService } from './activity/activity.service.ts';
import { ChainHeadsRepository } from './chains/chain-heads.repository.ts';
import { Checkpoints } from './chains/checkpoints.service.ts';
import { VisibleConnectors } from './sums/visible-connectors.ts';
import { MeteringController } from './activity/metering.controller.ts';
import { ToolCallIngest } from './ingest/tool-call-ingest.service.ts';
import { ToolCallSumsRepository } from './sums/tool-call-sums.repository.ts';
import { ToolCallsRepository } from './records/tool-calls.repository.ts';
import { UsageExportRepository } from './export/usage-export.repository.ts';
import { UsageExportService } from './export/usage-export.service.ts';
import { UsageController } from './analytics/usage.controller.ts';
import { UsageRepository } from './analytics/usage.repository.ts';
import { UsageSeriesRepository } from './analytics/usage-series.repository.ts';
import { UsageService } from './analytics/usage.service.ts';
import { WhoseCalls } from './records/whose-calls.ts';

/** Stores records of tool calls, and answers activity, analytics and exports from them. */
@Module({
  imports: [ConnectionsModule, GatewaysModule, SigningKeysModule, UsersModule],
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
