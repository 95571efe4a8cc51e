import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { ActivityService } from './activity.service.ts';
import { ConnectorActivityQuery, OwnActivityQuery, ToolCallActivity } from '../records/tool-call.dto.ts';

/** The HTTP API for lists of tool calls. */
@Controller('v1')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get('metering/usage/connectors/:id/calls')
  @Requires('user')
  @Operation({
    summary: 'Connector tool-call activity',
    description:
      'Calls to a connector, newest first. Administrators and auditors see the calls of all users, other callers their own; `figures_of` has these users, and a `user_id` of another user is 403 for them. A connector that such a caller may not see now, or that was removed, looks like one without calls; administrators and auditors still read its records, with the calls that were refused because the connector is hidden from their callers.',
    success: { status: 200, schema: ToolCallActivity },
    errors: [400, 404],
    tag: 'metering',
  })
  ofConnector(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: ConnectorActivityQuery }) query: ConnectorActivityQuery,
  ): Promise<ToolCallActivity> {
    return this.activity.listOfConnector(caller, id, query);
  }

  @Get('me/metering/usage/calls')
  @Requires('user')
  @Operation({
    summary: 'My tool-call activity',
    description:
      'A connector that the caller may not see now looks like one without calls, and so does a connector that was removed.',
    success: { status: 200, schema: ToolCallActivity },
    errors: [400, 404],
    tag: 'me',
  })
  ofCaller(
    @CurrentCaller() caller: Caller,
    @Query({ schema: OwnActivityQuery }) query: OwnActivityQuery,
  ): Promise<ToolCallActivity> {
    return this.activity.listOfCaller(caller, query);
  }
}
