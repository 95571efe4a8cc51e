import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { SETTINGS, type Settings } from '../config.ts';
import { keysetPage, type KeysetStep } from '../database/keyset.ts';
import { ndjsonLine, wholeList } from '../database/ndjson.ts';
import { newestFirst } from '../database/newest-first.ts';
import { textStream } from '../database/text-stream.ts';
import { personRef } from '../directory/person-ref.ts';
import { requireOrder } from '../spend/time-range.ts';
import type {
  OwnUsageEventListQuery,
  UsageEvent,
  UsageEventListQuery,
  UsageEventsPage,
} from './usage-event-list.dto.ts';
import { type UsageEventFilter, UsageEventListRepository, type UsageEventRow } from './usage-event-list.repository.ts';

const keyOf = (row: UsageEventRow) => [row.event_time, row.id];

/** Which requests there were. */
@Injectable()
export class UsageEventListService {
  constructor(
    private readonly events: UsageEventListRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of events. @throws Refusal invalid for a foreign cursor and for times that are not in order */
  page(caller: Caller, { cursor, limit, ...filter }: UsageEventListQuery): Promise<UsageEventsPage> {
    return this.pageOf(caller, 'usage-events', filter, { cursor, limit });
  }

  /** A page of the caller's own. @throws Refusal invalid */
  ownPage(caller: Caller, { cursor, limit, ...filter }: OwnUsageEventListQuery): Promise<UsageEventsPage> {
    return this.pageOf(caller, 'own-usage-events', this.ofCaller(caller, filter), { cursor, limit });
  }

  /** All of them as NDJSON. @throws Refusal invalid */
  stream({ cursor: _, limit: __, ...filter }: UsageEventListQuery): Promise<Readable> {
    return this.streamOf(filter);
  }

  /** All of the caller's own as NDJSON. @throws Refusal invalid */
  ownStream(caller: Caller, { cursor: _, limit: __, ...filter }: OwnUsageEventListQuery): Promise<Readable> {
    return this.streamOf(this.ofCaller(caller, filter));
  }

  private async streamOf(filter: UsageEventFilter): Promise<Readable> {
    requireOrder(filter);
    const read = this.readerOf(filter);
    return textStream('', wholeList({ keyOf, read }), (row) => ndjsonLine(toUsageEvent(row)));
  }

  private async pageOf(
    caller: Caller,
    list: string,
    filter: UsageEventFilter,
    query: { cursor?: string | undefined; limit: number },
  ): Promise<UsageEventsPage> {
    requireOrder(filter);
    const read = this.readerOf(filter);
    const { rows, next_cursor: next } = await keysetPage<UsageEventRow>(
      this.cursors,
      { binding: { list, filters: { ...filter }, caller }, keyOf, read },
      query,
    );
    return { events: rows.map(toUsageEvent), ...(next !== undefined && { next_cursor: next }) };
  }

  private readerOf(filter: UsageEventFilter): (step: KeysetStep) => Promise<UsageEventRow[]> {
    const now = this.clock.now();
    return (step) => newestFirst(filter, step, now, this.events.list.bind(this.events));
  }

  private ofCaller(caller: Caller, filter: UsageEventFilter): UsageEventFilter {
    return { ...filter, auth_subject: personRef(this.settings.ISSUERS, caller) };
  }
}

/** What is not known is left out. */
const toUsageEvent = (row: UsageEventRow): UsageEvent =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as UsageEvent;
