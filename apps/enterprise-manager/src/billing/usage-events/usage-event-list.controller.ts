import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import type { Answer } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { ALSO_NDJSON, listAnswer } from '../../database/list-response.ts';
import { NDJSON_TYPE } from '../../database/ndjson.ts';
import { OwnUsageEventListQuery, UsageEventListQuery, UsageEventsPage } from './usage-event-list.dto.ts';
import { UsageEventListService } from './usage-event-list.service.ts';

const success = { status: 200, schema: UsageEventsPage, alsoAs: [NDJSON_TYPE] };

/** The HTTP API for reading usage events. */
@Controller('v1')
export class UsageEventListController {
  constructor(private readonly events: UsageEventListService) {}

  @Get('budgets/events')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List usage events',
    description: `Lists the model requests that gateways reported, newest first. ${ALSO_NDJSON}`,
    success,
    errors: [400],
    tag: 'spend',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: UsageEventListQuery }) query: UsageEventListQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<Answer<UsageEventsPage | Readable>> {
    return listAnswer(accept, query, {
      readPage: () => this.events.list(caller, query),
      stream: () => this.events.stream(query),
    });
  }

  @Get('me/budgets/events')
  @Requires('user')
  @Operation({
    summary: 'List own usage events',
    description: `Lists the caller’s own model requests, newest first. ${ALSO_NDJSON}`,
    success,
    errors: [400],
    tag: 'me',
  })
  listOwn(
    @CurrentCaller() caller: Caller,
    @Query({ schema: OwnUsageEventListQuery }) query: OwnUsageEventListQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<Answer<UsageEventsPage | Readable>> {
    return listAnswer(accept, query, {
      readPage: () => this.events.listOwn(caller, query),
      stream: () => this.events.streamOwn(caller, query),
    });
  }
}
