import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { ToolCallExportService } from '../export/tool-call-export.service.ts';
import {
  ConnectorUsage,
  ConnectorUsageQuery,
  TimeSeriesQuery,
  TopConnectors,
  TopQuery,
  TopTools,
  UsageQuery,
  UsageSummary,
  UsageTimeSeries,
  UserUsage,
  UserUsageQuery,
} from './analytics.dto.ts';
import { ExportQuery, UsageExport } from '../export/tool-call-export.dto.ts';
import { AnalyticsService } from './analytics.service.ts';

const VISIBILITY =
  'Administrators and auditors see the calls of all users, other callers their own calls to connectors that they may see now; `figures_of` has these users. Own figures omit calls to hidden or removed connectors and calls that matched no connector.';

/** The HTTP API for analytics and exports of tool calls. */
@Controller('v1/metering/usage')
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly exports: ToolCallExportService,
  ) {}

  @Get('summary')
  @Requires('user')
  @Operation({
    summary: 'Usage summary',
    description: `The number of calls and of the users that made them. ${VISIBILITY}`,
    success: { status: 200, schema: UsageSummary },
    errors: [400, 404],
    tag: 'metering',
  })
  summary(@CurrentCaller() caller: Caller, @Query({ schema: UsageQuery }) query: UsageQuery): Promise<UsageSummary> {
    return this.analytics.getSummary(caller, query);
  }

  @Get('top-connectors')
  @Requires('user')
  @Operation({
    summary: 'Top connectors',
    description: `The most called connectors first, without calls that matched no connector. ${VISIBILITY}`,
    success: { status: 200, schema: TopConnectors },
    errors: [400, 404],
    tag: 'metering',
  })
  topConnectors(@CurrentCaller() caller: Caller, @Query({ schema: TopQuery }) query: TopQuery): Promise<TopConnectors> {
    return this.analytics.listTopConnectors(caller, query);
  }

  @Get('top-tools')
  @Requires('user')
  @Operation({
    summary: 'Top tools',
    description: `The most called tools first. Tools of different connectors are counted separately, also if they have the same name. ${VISIBILITY}`,
    success: { status: 200, schema: TopTools },
    errors: [400, 404],
    tag: 'metering',
  })
  topTools(@CurrentCaller() caller: Caller, @Query({ schema: TopQuery }) query: TopQuery): Promise<TopTools> {
    return this.analytics.listTopTools(caller, query);
  }

  @Get('timeseries')
  @Requires('user')
  @Operation({
    summary: 'Usage time series',
    description: `Calls in buckets of one width. The 50 most called values of the dimension are counted separately, all others together as \`other\`. ${VISIBILITY}`,
    success: { status: 200, schema: UsageTimeSeries },
    errors: [400, 404],
    tag: 'metering',
  })
  timeSeries(
    @CurrentCaller() caller: Caller,
    @Query({ schema: TimeSeriesQuery }) query: TimeSeriesQuery,
  ): Promise<UsageTimeSeries> {
    return this.analytics.getTimeSeries(caller, query);
  }

  @Get('export')
  @Requires('user')
  @Operation({
    summary: 'Per-event usage export',
    description: `Records in the order of their arrival, in one hash chain for each gateway and UTC month of arrival, with signed checkpoints. A reader that continues from \`resume_cursor\` sees each record once, however late it arrives. With a filter, records are missing, but each remaining record can still be verified. Administrators and auditors see the calls of all users, other callers their own calls to connectors that they may see now.`,
    success: { status: 200, schema: UsageExport },
    errors: [400, 404],
    tag: 'metering',
  })
  export(@CurrentCaller() caller: Caller, @Query({ schema: ExportQuery }) query: ExportQuery): Promise<UsageExport> {
    return this.exports.getPage(caller, query);
  }

  @Get('connectors/:id')
  @Requires('user')
  @Operation({
    summary: 'Connector usage',
    description: `Calls to a connector, in total and by group over time. Administrators and auditors still see the calls of a removed connector. ${VISIBILITY}`,
    success: { status: 200, schema: ConnectorUsage },
    errors: [400, 404],
    tag: 'metering',
  })
  ofConnector(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: ConnectorUsageQuery }) query: ConnectorUsageQuery,
  ): Promise<ConnectorUsage> {
    return this.analytics.getConnectorUsage(caller, id, query);
  }

  @Get('users/:id')
  @Requires('user')
  @Operation({
    summary: 'User usage',
    description: `The calls of a user, by time, connector and tool. ${VISIBILITY} For these callers the id of another user is 403.`,
    success: { status: 200, schema: UserUsage },
    errors: [400, 404],
    tag: 'metering',
  })
  ofUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: UserUsageQuery }) query: UserUsageQuery,
  ): Promise<UserUsage> {
    return this.analytics.getUserUsage(caller, id, query);
  }
}
