import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { getWindowAt } from '../budgets/period.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { getOwnerRef } from '@gatehouse/auth/owner-ref';
import { TimeList } from '../spend/time-list.ts';
import type { Charge, ChargeListQuery, ChargesPage, OwnChargeListQuery } from './charges.dto.ts';
import { type ChargeFilter, type ChargeRow, ChargesRepository } from './charges.repository.ts';

/** Reads of charges. */
@Injectable()
export class ChargesService {
  private readonly charges: TimeList<ChargeRow, ChargeFilter, Charge>;

  constructor(
    repository: ChargesRepository,
    cursors: CursorCodec,
    clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const read = repository.list.bind(repository);
    this.charges = new TimeList({ cursors, clock, read, toResponse: toCharge });
  }

  /**
   * Lists a page of charges.
   * @throws HttpError invalid for a foreign cursor and for times that are not in order
   */
  list(caller: Caller, { cursor, limit, ...filter }: ChargeListQuery): Promise<ChargesPage> {
    return this.readPage(caller, 'charges', filter, { cursor, limit });
  }

  /** Lists a page of the charges of the caller's requests. @throws HttpError invalid */
  listOwn(caller: Caller, { cursor, limit, ...filter }: OwnChargeListQuery): Promise<ChargesPage> {
    return this.readPage(caller, 'own-charges', this.restrictToCaller(caller, filter), { cursor, limit });
  }

  /** Streams all charges as NDJSON. @throws HttpError invalid */
  stream({ cursor: _, limit: __, ...filter }: ChargeListQuery): Promise<Readable> {
    return this.charges.stream(filter);
  }

  /** Streams all charges of the caller's requests as NDJSON. @throws HttpError invalid */
  streamOwn(caller: Caller, { cursor: _, limit: __, ...filter }: OwnChargeListQuery): Promise<Readable> {
    return this.charges.stream(this.restrictToCaller(caller, filter));
  }

  private async readPage(...page: Parameters<typeof this.charges.getPage>): Promise<ChargesPage> {
    const { items, ...cursor } = await this.charges.getPage(...page);
    return { charges: items, ...cursor };
  }

  private restrictToCaller(caller: Caller, filter: ChargeFilter): ChargeFilter {
    return { ...filter, auth_subject: getOwnerRef(this.settings.ISSUERS, caller) };
  }
}

function toCharge({ charge_period, ...row }: ChargeRow): Charge {
  const { start, end } = getWindowAt(charge_period, new Date(row.event_time));
  return { ...row, period_start: start.toISOString(), period_end: end.toISOString() };
}
