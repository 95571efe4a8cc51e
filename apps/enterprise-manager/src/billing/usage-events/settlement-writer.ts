import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Reservation } from '../admission/reservation.ts';
import { ReservationsRepository } from '../admission/reservations.repository.ts';
import { type CellAmounts, type Payer, getCellId, listCellKeysOfDate } from '../budgets/cell.ts';
import { CellsRepository } from '../budgets/cells.repository.ts';
import { canPay, listLimitedCellKeys } from '../budgets/payer.ts';
import { formatDate } from '../budgets/period.ts';
import { ChargeLedger, type Released } from './charge-ledger.ts';
import { Draws, type Payment, type Price, type PricedCase, fixedPayment, paymentWithout } from './settlement.ts';
import type { Charge, UnpricedEvent, UsageEvent } from './usage-event.ts';
import { UsageEventsRepository } from './usage-events.repository.ts';

/** A case under the id of its event. */
type NewCase = PricedCase & { event_id: string };

/** Writes what settled cases come to. */
@Injectable()
export class SettlementWriter {
  constructor(
    private readonly events: UsageEventsRepository,
    private readonly cells: CellsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly ledger: ChargeLedger,
  ) {}

  /**
   * Stores the events of cases that are claimed, with their charges, and ends what was reserved for
   * them.
   */
  async write(manager: EntityManager, cases: readonly NewCase[], now: Date): Promise<void> {
    if (cases.length === 0) return;
    const payments = await this.paymentsOf(manager, cases);
    const ingest_time = now.toISOString();
    const events: UsageEvent[] = [];
    const charges: Charge[] = [];
    const unpriced: UnpricedEvent[] = [];
    const released: Released[] = [];
    const release = ({ payer }: Reservation, date: string, amount: Usd) => {
      if (payer !== undefined && amount > 0n) released.push({ payer, date, amount });
    };
    const settled: Reservation[] = [];
    const draws = new Draws();
    for (const [at, one] of cases.entries()) {
      const { admission, lease, price } = one;
      const payment = payments[at];
      if (payment === undefined) throw new Error('a case was left without a payer');
      events.push(eventOf(one, payment, ingest_time));
      if (price === undefined) unpriced.push(unpricedOf(one));
      else charges.push(chargeOf(one, payment, price));
      if (admission !== undefined) {
        // An admitted attempt has the time of its admission.
        release(admission, one.event_time.slice(0, 10), admission.held);
        settled.push(admission);
      } else if (lease !== undefined && price !== undefined)
        release(lease, formatDate(lease.admitted_at), draws.draw(lease, price.charged));
    }
    await this.events.insert(manager, events);
    await this.events.insertUnpriced(manager, unpriced);
    if (settled.length > 0) await this.reservations.delete(manager, settled);
    if (draws.held().size > 0) await this.reservations.updateHeld(manager, draws.held());
    await this.ledger.post(manager, charges, released, now);
  }

  /**
   * Who pays for each case. Those without an admission see what the ones before them in the batch
   * have come to.
   */
  private async paymentsOf(manager: EntityManager, cases: readonly NewCase[]): Promise<Payment[]> {
    const open = cases.filter((one) => fixedPayment(one) === undefined);
    const keys = open.flatMap(({ principal, time }) =>
      principal.candidates.length < 2
        ? []
        : principal.candidates.flatMap((candidate) => listLimitedCellKeys(candidate, time)),
    );
    const distinct = [...new Map(keys.map((key) => [getCellId(key), key])).values()];
    const cells = distinct.length === 0 ? new Map<string, CellAmounts>() : await this.cells.read(manager, distinct);
    const watched = new Set(distinct.map(getCellId));
    const watchedOf = new Map<string, readonly string[]>();
    /** The cells of a payer and a day that some case of the batch looks at. */
    const watchedCells = ({ scope, subject_id }: Payer, date: string): readonly string[] => {
      const id = `${date} ${scope} ${subject_id}`;
      const known = watchedOf.get(id);
      if (known !== undefined) return known;
      const found = listCellKeysOfDate({ scope, subject_id }, date)
        .map(getCellId)
        .filter((cell) => watched.has(cell));
      watchedOf.set(id, found);
      return found;
    };
    return cases.map((one) => {
      // What an amount without a price will come to is not known: whoever has anything left.
      const amount = one.price?.charged ?? 1n;
      const payment =
        fixedPayment(one) ?? paymentWithout(one.principal, (candidate) => canPay(candidate, cells, one.time, amount));
      for (const id of watchedCells(payment.payer, one.event_time.slice(0, 10))) {
        const { used, reserved } = cells.get(id) ?? { used: 0n, reserved: 0n };
        cells.set(id, { used: used + (one.price?.charged ?? 0n), reserved });
      }
      return payment;
    });
  }
}

const eventOf = (
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

const chargeOf = ({ report, event_time, principal }: NewCase, { payer }: Payment, { charged }: Price): Charge => ({
  event_time,
  auth_subject: principal.subject_id,
  provider: report.provider,
  model: report.model,
  payer,
  charged,
});

const unpricedOf = ({ event_id, report, event_time, admission }: NewCase): UnpricedEvent => ({
  event_id,
  event_time,
  interaction_id: report.interaction_id,
  provider: report.provider,
  model: report.model,
  reserved: admission?.amount,
});
