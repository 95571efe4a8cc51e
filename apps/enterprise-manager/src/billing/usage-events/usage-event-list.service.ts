import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { JsonText } from '@gatehouse/service-kit/json-text';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import { TimeList } from '../spend/time-list.ts';
import type {
  OwnUsageEventListQuery,
  UsageEvent,
  UsageEventListQuery,
  UsageEventsPage,
} from './usage-event-list.dto.ts';
import { type UsageEventFilter, UsageEventListRepository, type UsageEventRow } from './usage-event-list.repository.ts';

/** Lists usage events. */
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
    this.events = new TimeList({ cursors, clock, read, toResponse: toUsageEvent });
  }

  /**
   * Returns a page of events.
   * @throws HttpError invalid for a cursor of another list, or if `from` is not before `to`
   */
  list(caller: Caller, { cursor, limit, ...filter }: UsageEventListQuery): Promise<UsageEventsPage> {
    return this.getPage(caller, 'usage-events', filter, { cursor, limit });
  }

  /** Returns a page of the caller's own events. @throws HttpError invalid */
  listOwn(caller: Caller, { cursor, limit, ...filter }: OwnUsageEventListQuery): Promise<UsageEventsPage> {
    return this.getPage(caller, 'own-usage-events', this.restrictToCaller(caller, filter), { cursor, limit });
  }

  /** Streams all events as NDJSON. @throws HttpError invalid */
  stream({ cursor: _, limit: __, ...filter }: UsageEventListQuery): Promise<Readable> {
    return this.events.stream(filter);
  }

  /** Streams all of the caller's own events as NDJSON. @throws HttpError invalid */
  streamOwn(caller: Caller, { cursor: _, limit: __, ...filter }: OwnUsageEventListQuery): Promise<Readable> {
    return this.events.stream(this.restrictToCaller(caller, filter));
  }

  private async getPage(...page: Parameters<typeof this.events.getPage>): Promise<UsageEventsPage> {
    const { items, ...cursor } = await this.events.getPage(...page);
    return { events: items, ...cursor };
  }

  private restrictToCaller(caller: Caller, filter: UsageEventFilter): UsageEventFilter {
    return { ...filter, auth_subject: getOwnerRef(this.settings.ISSUERS, caller) };
  }
}

/** Omits fields that are null, and keeps the text of usage objects. */
const toUsageEvent = ({ raw_usage, estimated_usage, ...row }: UsageEventRow): UsageEvent =>
  Object.fromEntries(
    Object.entries({ ...row, raw_usage: toJsonText(raw_usage), estimated_usage: toJsonText(estimated_usage) }).filter(
      ([, value]) => value !== null,
    ),
  ) as unknown as UsageEvent;

const toJsonText = (text: string | null): JsonText | null => (text === null ? null : new JsonText(text));
