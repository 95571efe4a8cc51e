import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { JsonText } from '@gatehouse/service-kit/json-text';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { personRef } from '../../validation/person-ref.ts';
import { TimeList } from '../spend/time-list.ts';
import type {
  OwnUsageEventListQuery,
  UsageEvent,
  UsageEventListQuery,
  UsageEventsPage,
} from './usage-event-list.dto.ts';
import { type UsageEventFilter, UsageEventListRepository, type UsageEventRow } from './usage-event-list.repository.ts';

/** Which requests there were. */
@Injectable()
export class UsageEventListService {
  private readonly events: TimeList<UsageEventRow, UsageEventFilter, UsageEvent>;

  constructor(
    repository: UsageEventListRepository,
    cursors: CursorCodec,
    clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const read = repository.list.bind(repository);
    this.events = new TimeList({ cursors, clock, read, shown: toUsageEvent });
  }

  /**
   * A page of events.
   * @throws HttpError invalid for a foreign cursor and for times that are not in order
   */
  page(caller: Caller, { cursor, limit, ...filter }: UsageEventListQuery): Promise<UsageEventsPage> {
    return this.pageOf(caller, 'usage-events', filter, { cursor, limit });
  }

  /** A page of the caller's own. @throws HttpError invalid */
  ownPage(caller: Caller, { cursor, limit, ...filter }: OwnUsageEventListQuery): Promise<UsageEventsPage> {
    return this.pageOf(caller, 'own-usage-events', this.ofCaller(caller, filter), { cursor, limit });
  }

  /** All of them as NDJSON. @throws HttpError invalid */
  stream({ cursor: _, limit: __, ...filter }: UsageEventListQuery): Promise<Readable> {
    return this.events.stream(filter);
  }

  /** All of the caller's own as NDJSON. @throws HttpError invalid */
  ownStream(caller: Caller, { cursor: _, limit: __, ...filter }: OwnUsageEventListQuery): Promise<Readable> {
    return this.events.stream(this.ofCaller(caller, filter));
  }

  private async pageOf(...page: Parameters<typeof this.events.page>): Promise<UsageEventsPage> {
    const { items, ...cursor } = await this.events.page(...page);
    return { events: items, ...cursor };
  }

  private ofCaller(caller: Caller, filter: UsageEventFilter): UsageEventFilter {
    return { ...filter, auth_subject: personRef(this.settings.ISSUERS, caller) };
  }
}

/** Unknown fields are left out; usage objects are answered as they came. */
const toUsageEvent = ({ raw_usage, estimated_usage, ...row }: UsageEventRow): UsageEvent =>
  Object.fromEntries(
    Object.entries({ ...row, raw_usage: textOf(raw_usage), estimated_usage: textOf(estimated_usage) }).filter(
      ([, value]) => value !== null,
    ),
  ) as unknown as UsageEvent;

const textOf = (text: string | null): JsonText | null => (text === null ? null : new JsonText(text));
