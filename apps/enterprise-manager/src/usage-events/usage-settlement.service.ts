import { Overtaken, inTransaction } from '@gatehouse/database/transaction';
import { writeUsd } from '@gatehouse/money/usd';
import { readItem } from '@gatehouse/service-kit/batch-item';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ReservationsRepository } from '../admission/reservations.repository.ts';
import { holdBudgets } from '../budgets/budgets-lock.ts';
import { PrincipalsRepository } from '../budgets/principals.repository.ts';
import { UsageHorizon } from '../partitions/usage-horizon.ts';
import { PriceLists } from '../pricing/price-lists.ts';
import { isPlainReport } from './plain-report.ts';
import { type Case, type PricedCase, ReportRefused, caseOf, priceOf, reservationIdsOf } from './settlement.ts';
import { SettlementWriter } from './settlement-writer.ts';
import { type FirstReport, UsageClaimsRepository } from './usage-claims.repository.ts';
import type { Receipt } from './usage-events.dto.ts';
import { UsageMetrics } from './usage-metrics.ts';
import { UsageReport, attemptId, contentOf } from './usage-report.ts';

/** How often a batch that lost to others (serialization, deadlock) is done again before its gateway has to. */
const RETRIES = 5;

/** A report that is well formed, with the digest of its content. */
interface ReadReport {
  report: UsageReport;
  /** `attemptId` of the report. */
  id: string;
  /** `reservationIdsOf` the report. */
  reservation_ids: ReturnType<typeof reservationIdsOf>;
  content: Buffer;
}

/** A case that nobody has settled yet, under the id of its event. */
interface NewCase extends PricedCase {
  event_id: string;
  /** The id that a reservation of its attempt has. */
  reservation_id: string;
  content: Buffer;
}

/** Takes in what gateways report, and charges it: each attempt once. */
@Injectable()
export class UsageSettlement {
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
  ) {}

  /**
   * Settles a batch in one transaction: after a crash all of it has happened or nothing, and a repeat of the batch finds out which. A report that is not well
   * formed, or speaks of what cannot be, is rejected alone.
   * @returns one receipt for each item, in order
   */
  async take(items: readonly unknown[]): Promise<Receipt[]> {
    const read = items.map(readReport);
    const reports = read.filter((item) => typeof item !== 'string');
    const now = this.clock.now();
    const settle = (manager: EntityManager) => this.settle(manager, reports, now);
    const { receipts, settled } =
      reports.length === 0
        ? { receipts: [], settled: [] }
        : await inTransaction(this.dataSource, settle, { retries: RETRIES });
    const inOrder = receipts.values();
    const answer = read.map((item): Receipt => {
      if (typeof item === 'string') return { status: 'rejected', error: item };
      const receipt = inOrder.next().value;
      if (receipt === undefined) throw new Error('a report was left without a receipt');
      if (receipt.status === 'conflict') this.metrics.conflict(item.report, receipt.event_id ?? '');
      return receipt;
    });
    this.metrics.settled(settled);
    this.metrics.answered(answer);
    return answer;
  }

  private async settle(manager: EntityManager, reports: readonly ReadReport[], now: Date) {
    await holdBudgets(manager);
    const { cases, refused } = await this.look(manager, reports, now);
    const first = await this.claims.insert(
      manager,
      [...cases.values()].map(({ report, event_id, event_time, content }) => ({
        interaction_id: report.interaction_id,
        attempt: report.attempt,
        event_id,
        event_time,
        content_sha256: content,
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
    await this.writer.write(manager, settled, now);
    await this.checkAlone(manager, settled);
    const receipts = reports.map((item): Receipt => {
      const known = first.get(item.id);
      if (known !== undefined) return repeatOf(item, known);
      const refusal = refused.get(item);
      if (refusal !== undefined) return { status: 'rejected', error: refusal };
      const made = cases.get(item.id);
      if (made === undefined) throw new Error('a report was neither settled nor refused');
      return made.content === item.content ? receiptOf(made) : repeatOf(item, firstOf(made));
    });
    return { receipts, settled };
  }

  /** Finds out what reports speak of, holding their reservations: what they come to if nobody has reported them before, and which cannot be. */
  private async look(manager: EntityManager, reports: readonly ReadReport[], now: Date) {
    const horizon = await this.horizon.at(manager, now);
    const refs = reports.map(({ report }) => report.principal);
    const principals = await this.principals.find(manager, refs, now);
    const ids = new Set(reports.flatMap(({ reservation_ids }) => reservation_ids));
    const reservations = await this.reservations.lock(manager, [...ids].sort());
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
      const { id } = item;
      // Of two reports of one attempt in a batch the first that can be settled is the one that counts.
      if (cases.has(id)) continue;
      refusing(refused, item, () => {
        const event_id = uuidv7({ random: random.subarray(16 * at, 16 * (at + 1)) });
        cases.set(id, {
          ...one,
          price: priceOf(one, versions[at]),
          event_id,
          reservation_id: item.reservation_ids[0],
          content: item.content,
        });
      });
    }
    return { cases, refused };
  }

  /**
   * Makes sure that what was settled without an admission still has none. The cells are held by now: whoever admits such an attempt has committed, and it must
   * be settled by that admission, or waits for them, and will see that it is settled.
   * @throws Overtaken
   */
  private async checkAlone(manager: EntityManager, cases: readonly NewCase[]): Promise<void> {
    const alone = cases.filter(({ admission }) => admission === undefined);
    const ids = alone.map(({ reservation_id }) => reservation_id);
    if (await this.reservations.anyThere(manager, ids)) throw new Overtaken('an attempt was admitted meanwhile');
  }

  /** The version of the catalog that holds for each case. */
  private async versionsOf(manager: EntityManager, cases: readonly Case[]) {
    const free = cases.filter(({ admission, lease }) => (admission ?? lease) === undefined);
    const inEffect = await this.prices.allInEffect(
      manager,
      free.map(({ time }) => time),
    );
    const ofFree = new Map(free.map((one, at) => [one, inEffect[at]]));
    const fixed = new Map<string, Awaited<ReturnType<PriceLists['byId']>>>();
    for (const { admission, lease } of cases) {
      const id = (admission ?? lease)?.pricing_catalog_id;
      if (id !== undefined && !fixed.has(id)) fixed.set(id, await this.prices.byId(manager, id));
    }
    return cases.map((one) => {
      const reservation = one.admission ?? one.lease;
      return reservation === undefined ? ofFree.get(one) : fixed.get(reservation.pricing_catalog_id);
    });
  }
}

/** A report, or the sentences that say why an item is none. */
function readReport(item: unknown): ReadReport | string {
  const read = isPlainReport(item) ? { item } : readItem(UsageReport, item);
  if ('error' in read) return read.error;
  const { item: report } = read;
  return { report, id: attemptId(report), reservation_ids: reservationIdsOf(report), content: contentOf(item) };
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

type First = Pick<FirstReport, 'event_id' | 'content_sha256' | 'charged_usd' | 'basis'>;

const firstOf = ({ event_id, content, price }: NewCase): First => ({
  event_id,
  content_sha256: content,
  charged_usd: price && writeUsd(price.charged),
  basis: price?.basis,
});

/** What a repeat is told: what came of the first report. */
const repeatOf = ({ content }: ReadReport, { event_id, content_sha256, charged_usd, basis }: First): Receipt => ({
  ...(content.equals(content_sha256)
    ? { status: 'duplicate' as const }
    : {
        status: 'conflict' as const,
        error: 'interaction_id: this attempt was reported before with other content; that report stays as it is',
      }),
  event_id,
  ...(charged_usd !== undefined && { charged_usd }),
  ...(basis !== undefined && { basis }),
});
