import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../access/connections/connections.module.ts';
import { GatewaysModule } from '../gateways/settings/gateways.module.ts';
import { SigningKeysModule } from '../client-config/signing-keys/signing-keys.module.ts';
import { UsersModule } from '../people/users/users.module.ts';
import { ActivityService } from './activity/activity.service.ts';
import { ChainHeadsRepository } from './chains/chain-heads.repository.ts';
import { Checkpoints } from './chains/checkpoints.service.ts';
import { VisibleConnectors } from './sums/visible-connectors.ts';
import { ActivityController } from './activity/activity.controller.ts';
import { ToolCallIngest } from './ingest/tool-call-ingest.service.ts';
import { ToolCallSumsRepository } from './sums/tool-call-sums.repository.ts';
import { ToolCallsRepository } from './records/tool-calls.repository.ts';
import { ToolCallExportRepository } from './export/tool-call-export.repository.ts';
import { ToolCallExportService } from './export/tool-call-export.service.ts';
import { AnalyticsController } from './analytics/analytics.controller.ts';
import { AnalyticsRepository } from './analytics/analytics.repository.ts';
import { SeriesRepository } from './analytics/series.repository.ts';
import { AnalyticsService } from './analytics/analytics.service.ts';
import { CallVisibility } from './records/call-visibility.ts';

/** Stores records of tool calls and serves activity, analytics and exports. */
@Module({
  imports: [ConnectionsModule, GatewaysModule, SigningKeysModule, UsersModule],
  controllers: [ActivityController, AnalyticsController],
  providers: [
    ActivityService,
    ChainHeadsRepository,
    Checkpoints,
    VisibleConnectors,
    ToolCallIngest,
    ToolCallSumsRepository,
    ToolCallsRepository,
    ToolCallExportRepository,
    ToolCallExportService,
    AnalyticsRepository,
    SeriesRepository,
    AnalyticsService,
    CallVisibility,
  ],
  exports: [ToolCallIngest],
})
export class ToolCallsModule {}
