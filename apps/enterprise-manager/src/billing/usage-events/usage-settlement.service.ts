import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { SerializationConflictError, inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { writeUsd } from '@gatehouse/money/usd';
import { Batches, togetherElseAlone } from '@gatehouse/service-kit/batches';
import { readItem, readItems } from '@gatehouse/service-kit/batch-item';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Reservation, deriveReservationId } from '../admission/reservation.ts';
import { ReservationsRepository } from '../admission/reservations.repository.ts';
import { KeyLastUseRecorder } from '../../keys/key-last-use-recorder.ts';
import { lockBudgetsShared } from '../budgets/budgets-lock.ts';
import { type Principal, PrincipalsRepository } from '../budgets/principals.repository.ts';
import { UsageHorizon } from '../partitions/usage-horizon.ts';
import { PriceLists } from '../pricing/price-lists.ts';
import { type Case, type PricedCase, type ReadReport, ReportRefused, caseOf, priceOf } from './settlement.ts';
import { SettlementWriter } from './settlement-writer.ts';
import { type FirstReport, UsageClaimsRepository } from './usage-claims.repository.ts';
import type { Receipt } from './usage-events.dto.ts';
import { UsageMetrics } from './usage-metrics.ts';
import { UsageReport, VERBATIM, attemptId, contentOf, withTexts } from './usage-report.ts';

/**
 * How often a batch that lost to others (serialization, deadlock) is done again before its gateway
 * has to.
 */
const RETRIES = 5;
/**
 * Batches that are settled in one transaction, and transactions at a time. What waits for longer
 * than a transaction takes begins beside those that are held up.
 */
const LIMITS = { size: 4, running: 6, patienceMs: 250, waiting: 200 };

/** A case that nobody has settled yet, under the id of its event. */
interface NewCase extends PricedCase {
  event_id: string;
  item: ReadReport;
}

/** A reservation was taken away and is not settled: all of it is undone. */
class TakenInVain extends GatehouseError {
  override readonly code = 'reservation_mismatch';
}

/** Takes in what gateways report, and charges it: each attempt once. */
@Injectable()
export class UsageSettlement {
  private readonly batches = new Batches<readonly ReadReport[], Receipt[]>(
    (batches) => togetherElseAlone(batches, (together) => this.settleTogether(together), isUnavailable),
    LIMITS,
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly principals: PrincipalsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly claims: UsageClaimsRepository,
    private readonly prices: PriceLists,
    private readonly horizon: UsageHorizon,
    private readonly writer: SettlementWriter,
    private readonly metrics: UsageMetrics,
    private readonly keyLastUses: KeyLastUseRecorder,
  ) {}

  /**
   * Settles a batch in one transaction: after a crash all of it has happened or nothing, and a
   * repeat of the batch finds out which. A report that is not well formed, or speaks of what cannot
   * be, is rejected alone. Batches that come while others are settled go together: people, cells
   * and sums of many reports are written once. Where that fails, each is settled by itself.
   * @param gatewayIds the gateways that the caller may report for; an item of any other is rejected
   * @returns one receipt for each item, in order
   */
  async take(items: readonly unknown[], gatewayIds: ReadonlySet<string>): Promise<Receipt[]> {
    const read = await readItems(items, (item) => this.ownReport(readReport(item), gatewayIds));
    const reports = read.filter((item) => typeof item !== 'string');
    const receipts = reports.length === 0 ? [] : await this.batches.add(reports);
    const inOrder = receipts.values();
    const answer = read.map((item): Receipt => {
      if (typeof item === 'string') return { status: 'rejected', error: item };
      const receipt = inOrder.next().value;
      if (receipt === undefined) throw new Error('a report was left without a receipt');
      if (receipt.status === 'conflict') this.metrics.conflict(item.report, receipt.event_id ?? '');
      return receipt;
    });
    this.metrics.answered(answer);
    return answer;
  }

  private ownReport(read: ReadReport | string, gatewayIds: ReadonlySet<string>): ReadReport | string {
    if (typeof read === 'string' || gatewayIds.has(read.report.gateway_id)) return read;
    this.metrics.unregistered();
    return 'gateway_id: no gateway of the kind ai with this id is registered for the client of this token';
  }

  /** @returns the receipts of each batch */
  private async settleTogether(batches: readonly (readonly ReadReport[])[]): Promise<Receipt[][]> {
    const { receipts, settled } = await this.settleAll(batches.flat(), this.clock.now());
    this.metrics.settled(settled);
    for (const { principal, event_time } of settled)
      if (principal.virtual_key_id !== undefined)
        this.keyLastUses.record(principal.virtual_key_id, Date.parse(event_time));
    let end = 0;
    return batches.map(({ length }) => receipts.slice(end, (end += length)));
  }

  /**
   * First as if every report could be settled, for so it nearly always is; where a reservation was
   * taken in vain, once more.
   */
  private async settleAll(reports: readonly ReadReport[], now: Date) {
    const settle = (taking: boolean) =>
      inTransaction(this.dataSource, (manager) => this.settle(manager, reports, now, taking), { retries: RETRIES });
    try {
      return await settle(true);
    } catch (error) {
      if (!(error instanceof TakenInVain)) throw error;
      return settle(false);
    }
  }

  private async settle(manager: EntityManager, reports: readonly ReadReport[], now: Date, taking: boolean) {
    await lockBudgetsShared(manager);
    const { cases, refused, taken } = await this.look(manager, reports, now, taking);
    const first = await this.claims.insert(
      manager,
      [...cases.values()].map(({ report, event_id, event_time, item }) => ({
        interaction_id: report.interaction_id,
        attempt: report.attempt,
        event_id,
        event_time,
        content_sha256: item.content,
      })),
    );
    for (const id of first.keys()) cases.delete(id);
    // What cannot be settled now may be the repeat of what could.
    const others = [...refused.keys()].filter(({ id }) => !cases.has(id) && !first.has(id));
    for (const [id, report] of await this.claims.find(
      manager,
      others.map(({ report }) => report),
    ))
      first.set(id, report);
    const settled = [...cases.values()];
    if (settled.filter(({ admission }) => admission?.isDeleted === true).length !== taken) throw new TakenInVain();
    await this.writer.write(manager, settled, now);
    await this.checkAlone(manager, settled);
    const receipts = reports.map((item): Receipt => {
      const known = first.get(item.id);
      if (known !== undefined) return repeatOf(item, known);
      const refusal = refused.get(item);
      if (refusal !== undefined) return { status: 'rejected', error: refusal };
      const made = cases.get(item.id);
      if (made === undefined) throw new Error('a report was neither settled nor refused');
      return made.item === item ? receiptOf(made) : repeatOf(item, firstOf(made));
    });
    return { receipts, settled };
  }

  /**
   * Finds out what reports speak of, holding their reservations: what they come to if nobody has
   * reported them before, and which cannot be.
   */
  private async look(manager: EntityManager, reports: readonly ReadReport[], now: Date, taking: boolean) {
    const horizon = await this.horizon.at(manager, now);
    const refs = reports.map(({ report }) => report.principal);
    const principals = await this.principals.find(manager, refs, now);
    const { reservations, taken } = await this.reservationsOf(manager, reports, principals, taking);
    const refused = new Map<ReadReport, string>();
    const found: [ReadReport, Case][] = [];
    for (const [at, item] of reports.entries()) {
      refusing(refused, item, () => {
        found.push([item, caseOf(item, principals[at], reservations, { now, horizon })]);
      });
    }
    const versions = await this.versionsOf(
      manager,
      found.map(([, one]) => one),
    );
    const cases = new Map<string, NewCase>();
    const random = randomBytes(16 * found.length);
    for (const [at, [item, one]] of found.entries()) {
      // Of two reports of one attempt in a batch the first that can be settled is the one that
      // counts.
      if (cases.has(item.id)) continue;
      refusing(refused, item, () => {
        const price = priceOf(one, versions[at]);
        const event_id = uuidv7({ random: random.subarray(16 * at, 16 * (at + 1)) });
        cases.set(item.id, Object.assign(one, { price, event_id, item }));
      });
    }
    return { cases, refused, taken };
  }

  /**
   * What is reserved for reports, held until the transaction ends.
   * @param taking whether the reservations of attempts are taken away at once: one look at each
   * instead of two, if all of them can be settled
   * @returns how many were taken besides
   */
  private async reservationsOf(
    manager: EntityManager,
    reports: readonly ReadReport[],
    principals: readonly (Principal | undefined)[],
    taking: boolean,
  ) {
    const keys = reports.flatMap(({ own_id, report: { gateway_id } }, at) => {
      const subject_id = taking ? principals[at]?.subject_id : undefined;
      return subject_id === undefined ? [] : [{ id: own_id, subject_id, gateway_id }];
    });
    const taken = keys.length === 0 ? [] : await this.reservations.deleteReturning(manager, keys);
    const reservations = new Map<string, Reservation[]>();
    const add = (one: Reservation) => reservations.set(one.id, [...(reservations.get(one.id) ?? []), one]);
    taken.forEach(add);
    const others = new Set<string>();
    for (const { own_id, report } of reports)
      for (const id of [own_id, report.reservation_id]) if (id !== undefined && !reservations.has(id)) others.add(id);
    const held = await this.reservations.lock(manager, [...others].sort());
    for (const some of held.values()) some.forEach(add);
    return { reservations, taken: taken.length };
  }

  /**
   * Makes sure that what was settled without an admission still has none. The cells are held by
   * now: whoever admits such an attempt has committed, and it must be settled by that admission, or
   * waits for them, and will see that it is settled.
   * @throws SerializationConflictError
   */
  private async checkAlone(manager: EntityManager, cases: readonly NewCase[]): Promise<void> {
    const alone = cases.filter(({ admission }) => admission === undefined);
    const ids = alone.map(({ item }) => item.own_id);
    if (await this.reservations.hasAny(manager, ids))
      throw new SerializationConflictError('an attempt was admitted during its settlement');
  }

  /** The version of the catalog that holds for each case. */
  private async versionsOf(manager: EntityManager, cases: readonly Case[]) {
    const free = cases.filter(({ admission, lease }) => (admission ?? lease) === undefined);
    const times = new Map(free.map(({ time }) => [time.getTime(), time]));
    const inEffect = await this.prices.allInEffect(manager, [...times.values()]);
    const ofFree = new Map([...times.keys()].map((time, at) => [time, inEffect[at]]));
    const fixed = new Map<string, Awaited<ReturnType<PriceLists['byId']>>>();
    for (const { admission, lease } of cases) {
      const id = (admission ?? lease)?.pricing_catalog_id;
      if (id !== undefined && !fixed.has(id)) fixed.set(id, await this.prices.byId(manager, id));
    }
    return cases.map((one) => {
      const reservation = one.admission ?? one.lease;
      return reservation === undefined ? ofFree.get(one.time.getTime()) : fixed.get(reservation.pricing_catalog_id);
    });
  }
}

const REPORT = { schema: UsageReport, verbatim: VERBATIM };

/** A report, or the sentences that say why an item is none. */
function readReport(item: unknown): ReadReport | string {
  const read = readItem(REPORT, item);
  if ('error' in read) return read.error;
  const report = withTexts(read.item, read.texts);
  const own_id = deriveReservationId(report.interaction_id, report.attempt);
  return { report, id: attemptId(report), own_id, content: contentOf(read.value, read.texts) };
}

function refusing(refused: Map<ReadReport, string>, item: ReadReport, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    refused.set(item, error.message);
  }
}

const receiptOf = ({ event_id, price }: NewCase): Receipt =>
  price === undefined
    ? { status: 'unpriceable', event_id }
    : { status: 'charged', event_id, charged_usd: writeUsd(price.charged), basis: price.basis };

type First = Pick<FirstReport, 'event_id' | 'gateway_id' | 'content_sha256' | 'charged_usd' | 'basis'>;

const firstOf = ({ event_id, item, price }: NewCase): First => ({
  event_id,
  gateway_id: item.report.gateway_id,
  content_sha256: item.content,
  charged_usd: price && writeUsd(price.charged),
  basis: price?.basis,
});

/** The result of a repeat: that of the first report. The report of another gateway stays hidden. */
function repeatOf({ content, report }: ReadReport, first: First): Receipt {
  const { event_id, content_sha256, charged_usd, basis } = first;
  if (first.gateway_id !== undefined && first.gateway_id !== report.gateway_id)
    return { status: 'conflict', error: 'interaction_id: another gateway has reported this attempt' };
  return {
    ...(content === content_sha256
      ? { status: 'duplicate' as const }
      : {
          status: 'conflict' as const,
          error: 'interaction_id: this attempt was reported before with other content; that report stays as it is',
        }),
    event_id,
    ...(charged_usd !== undefined && { charged_usd }),
    ...(basis !== undefined && { basis }),
  };
}
