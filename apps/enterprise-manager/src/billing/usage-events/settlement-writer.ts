import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Reservation } from '../admission/reservation.ts';
import { ReservationsRepository } from '../admission/reservations.repository.ts';
import { type CellAmounts, type Payer, getCellId, listCellKeysOfDate } from '../budgets/cell.ts';
import { CellsRepository } from '../budgets/cells.repository.ts';
import { canPay, listLimitedCellKeys } from '../budgets/payer.ts';
import { formatDate } from '../budgets/period.ts';
import { ChargeLedger, type ReleasedAmount } from './charge-ledger.ts';
import {
  LeaseDraws,
  type Payment,
  type Price,
  type PricedCase,
  getAdmittedPayment,
  choosePayment,
} from './settlement.ts';
import type { Charge, UnpricedEvent, UsageEvent } from './usage-event.ts';
import { UsageEventsRepository } from './usage-events.repository.ts';

/** A case with the id of its event. */
type NewCase = PricedCase & { event_id: string };

/** Writes the events, charges and reservations of settled cases. */
@Injectable()
export class SettlementWriter {
  constructor(
    private readonly events: UsageEventsRepository,
    private readonly cells: CellsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly ledger: ChargeLedger,
  ) {}

  /**
   * Stores the events of cases whose attempts are claimed, with their charges, and ends their
   * reservations.
   */
  async write(manager: EntityManager, cases: readonly NewCase[], now: Date): Promise<void> {
    if (cases.length === 0) return;
    const payments = await this.findPayments(manager, cases);
    const ingest_time = now.toISOString();
    const events: UsageEvent[] = [];
    const charges: Charge[] = [];
    const unpriced: UnpricedEvent[] = [];
    const released: ReleasedAmount[] = [];
    const release = ({ payer }: Reservation, date: string, amount: Usd) => {
      if (payer !== undefined && amount > 0n) released.push({ payer, date, amount });
    };
    const settled: Reservation[] = [];
    const draws = new LeaseDraws();
    for (const [at, one] of cases.entries()) {
      const { admission, lease, price } = one;
      const payment = payments[at];
      if (payment === undefined) throw new Error('a case has no payer');
      events.push(toUsageEvent(one, payment, ingest_time));
      if (price === undefined) unpriced.push(toUnpricedEvent(one));
      else charges.push(toCharge(one, payment, price));
      if (admission !== undefined) {
        // The event time of an admitted attempt is the time of its admission.
        release(admission, one.event_time.slice(0, 10), admission.held);
        settled.push(admission);
      } else if (lease !== undefined && price !== undefined)
        release(lease, formatDate(lease.admitted_at), draws.draw(lease, price.charged));
    }
    await this.events.insert(manager, events);
    await this.events.insertUnpriced(manager, unpriced);
    if (settled.length > 0) await this.reservations.delete(manager, settled);
    if (draws.getRemaining().size > 0) await this.reservations.updateHeld(manager, draws.getRemaining());
    await this.ledger.post(manager, charges, released, now);
  }

  /**
   * Finds the payer of each case. Cases without an admission see the charges of earlier cases of
   * the batch.
   */
  private async findPayments(manager: EntityManager, cases: readonly NewCase[]): Promise<Payment[]> {
    const open = cases.filter((one) => getAdmittedPayment(one) === undefined);
    const keys = open.flatMap(({ principal, time }) =>
      principal.candidates.length < 2
        ? []
        : principal.candidates.flatMap((candidate) => listLimitedCellKeys(candidate, time)),
    );
    const distinct = [...new Map(keys.map((key) => [getCellId(key), key])).values()];
    const cells = distinct.length === 0 ? new Map<string, CellAmounts>() : await this.cells.read(manager, distinct);
    const watched = new Set(distinct.map(getCellId));
    const watchedByPayer = new Map<string, readonly string[]>();
    /** Lists the cells of a payer and a day that a case of the batch reads. */
    const listWatchedCells = ({ scope, subject_id }: Payer, date: string): readonly string[] => {
      const id = `${date} ${scope} ${subject_id}`;
      const known = watchedByPayer.get(id);
      if (known !== undefined) return known;
      const found = listCellKeysOfDate({ scope, subject_id }, date)
        .map(getCellId)
        .filter((cell) => watched.has(cell));
      watchedByPayer.set(id, found);
      return found;
    };
    return cases.map((one) => {
      // The amount of a case without a price is unknown: any candidate with money left can pay.
      const amount = one.price?.charged ?? 1n;
      const payment =
        getAdmittedPayment(one) ??
        choosePayment(one.principal, (candidate) => canPay(candidate, cells, one.time, amount));
      for (const id of listWatchedCells(payment.payer, one.event_time.slice(0, 10))) {
        const { used, reserved } = cells.get(id) ?? { used: 0n, reserved: 0n };
        cells.set(id, { used: used + (one.price?.charged ?? 0n), reserved });
      }
      return payment;
    });
  }
}

const toUsageEvent = (
  { event_id, report, event_time, principal, admission, lease, price }: NewCase,
  { payer, charge_period }: Payment,
  ingest_time: string,
): UsageEvent => ({
  id: event_id,
  report,
  event_time,
  ingest_time,
  auth_issuer: principal.issuer,
  auth_subject: principal.subject_id,
  platform_user_id: principal.user_id,
  platform_groups: principal.groups,
  virtual_key_id: principal.virtual_key_id,
  reservation_id: (admission ?? lease)?.id,
  payer,
  charge_period,
  price,
});

const toCharge = ({ report, event_time, principal }: NewCase, { payer }: Payment, { charged }: Price): Charge => ({
  event_time,
  auth_subject: principal.subject_id,
  provider: report.provider,
  model: report.model,
  payer,
  charged,
});

const toUnpricedEvent = ({ event_id, report, event_time, admission }: NewCase): UnpricedEvent => ({
  event_id,
  event_time,
  interaction_id: report.interaction_id,
  provider: report.provider,
  model: report.model,
  reserved: admission?.amount,
});
