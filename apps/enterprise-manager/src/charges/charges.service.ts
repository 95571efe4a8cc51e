import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { windowAt } from '../budgets/period.ts';
import { SETTINGS, type Settings } from '../config.ts';
import { keysetPage, type KeysetStep } from '../database/keyset.ts';
import { ndjsonLine, wholeList } from '../database/ndjson.ts';
import { newestFirst } from '../database/newest-first.ts';
import { textStream } from '../database/text-stream.ts';
import { personRef } from '../directory/person-ref.ts';
import { requireOrder } from '../spend/time-range.ts';
import type { Charge, ChargeListQuery, ChargesPage, OwnChargeListQuery } from './charges.dto.ts';
import { type ChargeFilter, type ChargeRow, ChargesRepository } from './charges.repository.ts';

const keyOf = (row: ChargeRow) => [row.event_time, row.id];

/** What was charged. */
@Injectable()
export class ChargesService {
  constructor(
    private readonly charges: ChargesRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of charges. @throws Refusal invalid for a foreign cursor and for times that are not in order */
  page(caller: Caller, { cursor, limit, ...filter }: ChargeListQuery): Promise<ChargesPage> {
    return this.pageOf(caller, 'charges', filter, { cursor, limit });
  }

  /** A page of the caller's own, whoever paid. @throws Refusal invalid */
  ownPage(caller: Caller, { cursor, limit, ...filter }: OwnChargeListQuery): Promise<ChargesPage> {
    return this.pageOf(caller, 'own-charges', this.ofCaller(caller, filter), { cursor, limit });
  }

  /** All of them as NDJSON. @throws Refusal invalid */
  stream({ cursor: _, limit: __, ...filter }: ChargeListQuery): Promise<Readable> {
    return this.streamOf(filter);
  }

  /** All of the caller's own as NDJSON. @throws Refusal invalid */
  ownStream(caller: Caller, { cursor: _, limit: __, ...filter }: OwnChargeListQuery): Promise<Readable> {
    return this.streamOf(this.ofCaller(caller, filter));
  }

  private async streamOf(filter: ChargeFilter): Promise<Readable> {
    requireOrder(filter);
    const read = this.readerOf(filter);
    return textStream('', wholeList({ keyOf, read }), (row) => ndjsonLine(toCharge(row)));
  }

  private async pageOf(
    caller: Caller,
    list: string,
    filter: ChargeFilter,
    query: { cursor?: string | undefined; limit: number },
  ): Promise<ChargesPage> {
    requireOrder(filter);
    const read = this.readerOf(filter);
    const { rows, next_cursor: next } = await keysetPage<ChargeRow>(
      this.cursors,
      { binding: { list, filters: { ...filter }, caller }, keyOf, read },
      query,
    );
    return { charges: rows.map(toCharge), ...(next !== undefined && { next_cursor: next }) };
  }

  private readerOf(filter: ChargeFilter): (step: KeysetStep) => Promise<ChargeRow[]> {
    const now = this.clock.now();
    return (step) => newestFirst(filter, step, now, this.charges.list.bind(this.charges));
  }

  private ofCaller(caller: Caller, filter: ChargeFilter): ChargeFilter {
    return { ...filter, auth_subject: personRef(this.settings.ISSUERS, caller) };
  }
}

function toCharge({ charge_period, ...row }: ChargeRow): Charge {
  const { start, end } = windowAt(charge_period, new Date(row.event_time));
  return { ...row, period_start: start.toISOString(), period_end: end.toISOString() };
}
