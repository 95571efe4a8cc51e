import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { UsageExportService } from '../export/usage-export.service.ts';
import {
  ConnectorUsage,
  ConnectorUsageQuery,
  ExportQuery,
  TimeSeriesQuery,
  TopConnectors,
  TopQuery,
  TopTools,
  UsageExport,
  UsageQuery,
  UsageSummary,
  UsageTimeSeries,
  UserUsage,
  UserUsageQuery,
} from '../records/usage.dto.ts';
import { UsageService } from './usage.service.ts';

const WHOSE =
  'Administrators and auditors see the calls of all users, other callers their own calls to connectors that they may see now; `figures_of` says which. Own figures leave out calls to hidden or removed connectors and calls that matched no connector.';

/** What tool calls come to, over HTTP. */
@Controller('v1/metering/usage')
export class UsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly exports: UsageExportService,
  ) {}

  @Get('summary')
  @Requires('user')
  @Operation({
    summary: 'Usage summary',
    description: `How many calls there were, and by how many people. ${WHOSE}`,
    success: { status: 200, schema: UsageSummary },
    errors: [400, 404],
    tag: 'metering',
  })
  summary(@CurrentCaller() caller: Caller, @Query({ schema: UsageQuery }) query: UsageQuery): Promise<UsageSummary> {
    return this.usage.summary(caller, query);
  }

  @Get('top-connectors')
  @Requires('user')
  @Operation({
    summary: 'Top connectors',
    description: `The most called first. Calls that matched no connector are not there. ${WHOSE}`,
    success: { status: 200, schema: TopConnectors },
    errors: [400, 404],
    tag: 'metering',
  })
  topConnectors(@CurrentCaller() caller: Caller, @Query({ schema: TopQuery }) query: TopQuery): Promise<TopConnectors> {
    return this.usage.topConnectors(caller, query);
  }

  @Get('top-tools')
  @Requires('user')
  @Operation({
    summary: 'Top tools',
    description: `The most called first. Tools of two connectors are two, also when they have one name. ${WHOSE}`,
    success: { status: 200, schema: TopTools },
    errors: [400, 404],
    tag: 'metering',
  })
  topTools(@CurrentCaller() caller: Caller, @Query({ schema: TopQuery }) query: TopQuery): Promise<TopTools> {
    return this.usage.topTools(caller, query);
  }

  @Get('timeseries')
  @Requires('user')
  @Operation({
    summary: 'Usage time series',
    description: `Calls in buckets of one width. Of more than 50 values of the dimension the rarest are one, \`other\`. ${WHOSE}`,
    success: { status: 200, schema: UsageTimeSeries },
    errors: [400, 404],
    tag: 'metering',
  })
  timeSeries(
    @CurrentCaller() caller: Caller,
    @Query({ schema: TimeSeriesQuery }) query: TimeSeriesQuery,
  ): Promise<UsageTimeSeries> {
    return this.usage.timeSeries(caller, query);
  }

  @Get('export')
  @Requires('user')
  @Operation({
    summary: 'Per-event usage export',
    description: `Records in the order in which they arrived, linked in one hash chain for each gateway and UTC month of arrival, with signed checkpoints. A reader that goes on from \`resume_cursor\` sees each record once, however late it arrives. A filter leaves records out; what is left can still be verified one by one. Administrators and auditors see the calls of all users, other callers their own calls to connectors that they may see now.`,
    success: { status: 200, schema: UsageExport },
    errors: [400, 404],
    tag: 'metering',
  })
  export(@CurrentCaller() caller: Caller, @Query({ schema: ExportQuery }) query: ExportQuery): Promise<UsageExport> {
    return this.exports.page(caller, query);
  }

  @Get('connectors/:id')
  @Requires('user')
  @Operation({
    summary: 'Connector usage',
    description: `Calls to a connector, and by group over time. A connector that was removed keeps its numbers for administrators and auditors. ${WHOSE}`,
    success: { status: 200, schema: ConnectorUsage },
    errors: [400, 404],
    tag: 'metering',
  })
  ofConnector(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: ConnectorUsageQuery }) query: ConnectorUsageQuery,
  ): Promise<ConnectorUsage> {
    return this.usage.ofConnector(caller, id, query);
  }

  @Get('users/:id')
  @Requires('user')
  @Operation({
    summary: 'User usage',
    description: `What a person called. ${WHOSE} The id of another user is 403 for them.`,
    success: { status: 200, schema: UserUsage },
    errors: [400, 404],
    tag: 'metering',
  })
  ofUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: UserUsageQuery }) query: UserUsageQuery,
  ): Promise<UserUsage> {
    return this.usage.ofUser(caller, id, query);
  }
}
