import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { SerializationConflictError, inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { Batches, batchWithFallback } from '@gatehouse/service-kit/batches';
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
import { type CatalogPrices, PriceLists } from '../pricing/price-lists.ts';
import {
  type ParsedReport,
  ReportRejectedError,
  type SettlementCase,
  computeCasePrice,
  resolveCase,
} from './settlement.ts';
import { SettlementWriter } from './settlement-writer.ts';
import { type FirstReport, UsageClaimsRepository } from './usage-claims.repository.ts';
import type { Receipt } from './usage-events.dto.ts';
import { UsageMetrics } from './usage-metrics.ts';
import { type NewCase, toFirstReport, toReceipt, toRepeatReceipt } from './usage-receipts.ts';
import { UsageReport, VERBATIM, addVerbatimTexts, getAttemptKey, computeContentHash } from './usage-report.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;
/**
 * Up to 4 batches share a transaction, and up to 6 transactions run at the same time. A batch that
 * waits for longer than a transaction usually takes starts its own.
 */
const LIMITS = { size: 4, running: 6, patienceMs: 250, waiting: 200 };

/** A deleted reservation is not settled, so the transaction must roll back. */
class ReservationMismatchError extends GatehouseError {
  override readonly code = 'reservation_mismatch';
}

/** The outcome of a transaction: a receipt for each report, and the cases that it settled. */
interface SettlementResult {
  receipts: Receipt[];
  cases: NewCase[];
}

/** Settles the usage reports of gateways. Each attempt is charged once. */
@Injectable()
export class UsageSettlement {
  private readonly batches = new Batches<readonly ParsedReport[], Receipt[]>(
    (batches) => batchWithFallback(batches, (together) => this.settleBatches(together), isUnavailable),
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
   * Settles a batch of reports in one transaction, so that the batch can be repeated after a crash.
   * Invalid reports are rejected separately. Batches that arrive during a transaction share the
   * next one, which writes users, cells and sums of many reports once; if it fails, each batch is
   * settled separately.
   * @param gatewayIds the gateways of the caller; items of other gateways are rejected
   * @returns one receipt for each item, in order
   */
  async settle(items: readonly unknown[], gatewayIds: ReadonlySet<string>): Promise<Receipt[]> {
    const parsed = await readItems(items, (item) => this.checkGateway(parseReport(item), gatewayIds));
    const reports = parsed.filter((item) => typeof item !== 'string');
    const receipts = reports.length === 0 ? [] : await this.batches.add(reports);
    const inOrder = receipts.values();
    const response = parsed.map((item): Receipt => {
      if (typeof item === 'string') return { status: 'rejected', error: item };
      const receipt = inOrder.next().value;
      if (receipt === undefined) throw new Error('a report has no receipt');
      if (receipt.status === 'conflict') this.metrics.logConflict(item.report, receipt.event_id ?? '');
      return receipt;
    });
    this.metrics.countReceipts(response);
    return response;
  }

  private checkGateway(parsed: ParsedReport | string, gatewayIds: ReadonlySet<string>): ParsedReport | string {
    if (typeof parsed === 'string' || gatewayIds.has(parsed.report.gateway_id)) return parsed;
    this.metrics.countUnregistered();
    return 'gateway_id: no gateway of the kind ai with this id is registered for the client of this token';
  }

  /** @returns the receipts of each batch */
  private async settleBatches(batches: readonly (readonly ParsedReport[])[]): Promise<Receipt[][]> {
    const { receipts, cases } = await this.settleReports(batches.flat(), this.clock.now());
    this.metrics.countSettled(cases);
    for (const { principal, event_time } of cases)
      if (principal.virtual_key_id !== undefined)
        this.keyLastUses.record(principal.virtual_key_id, Date.parse(event_time));
    let end = 0;
    return batches.map(({ length }) => receipts.slice(end, (end += length)));
  }

  /**
   * Deletes the reservations at once, since nearly always all reports can be settled. After a
   * mismatch it runs again and locks the reservations first.
   */
  private async settleReports(reports: readonly ParsedReport[], now: Date): Promise<SettlementResult> {
    const run = (deleteAtOnce: boolean) =>
      inTransaction(this.dataSource, (manager) => this.runSettlement(manager, reports, now, deleteAtOnce), {
        retries: MAX_RETRIES,
      });
    try {
      return await run(true);
    } catch (error) {
      if (!(error instanceof ReservationMismatchError)) throw error;
      return run(false);
    }
  }

  private async runSettlement(
    manager: EntityManager,
    reports: readonly ParsedReport[],
    now: Date,
    deleteAtOnce: boolean,
  ): Promise<SettlementResult> {
    await lockBudgetsShared(manager);
    const { newCases, rejections, deletedCount } = await this.resolveCases(manager, reports, now, deleteAtOnce);
    const first = await this.claimAttempts(manager, newCases, rejections);
    const cases = [...newCases.values()];
    if (cases.filter(({ admission }) => admission?.isDeleted === true).length !== deletedCount)
      throw new ReservationMismatchError('a deleted reservation is not settled');
    await this.writer.write(manager, cases, now);
    await this.requireNoNewAdmissions(manager, cases);
    const receipts = reports.map((parsed): Receipt => {
      const known = first.get(parsed.attemptKey);
      if (known !== undefined) return toRepeatReceipt(parsed, known);
      const rejection = rejections.get(parsed);
      if (rejection !== undefined) return { status: 'rejected', error: rejection };
      const settled = newCases.get(parsed.attemptKey);
      if (settled === undefined) throw new Error('a report was neither settled nor rejected');
      return settled.parsed === parsed ? toReceipt(settled) : toRepeatReceipt(parsed, toFirstReport(settled));
    });
    return { receipts, cases };
  }

  /**
   * Claims the attempts of new cases, and removes the cases whose attempts have a first report. A
   * rejected report can be the repeat of a settled one, so its first report is looked up too.
   * @returns the first reports of repeated attempts, by `getAttemptKey`
   */
  private async claimAttempts(
    manager: EntityManager,
    newCases: Map<string, NewCase>,
    rejections: ReadonlyMap<ParsedReport, string>,
  ): Promise<Map<string, FirstReport>> {
    const claims = [...newCases.values()].map(({ report, event_id, event_time, parsed }) => ({
      interaction_id: report.interaction_id,
      attempt: report.attempt,
      event_id,
      event_time,
      content_sha256: parsed.contentHash,
    }));
    const first = await this.claims.claim(manager, claims);
    for (const key of first.keys()) newCases.delete(key);
    const others = [...rejections.keys()]
      .filter(({ attemptKey }) => !newCases.has(attemptKey) && !first.has(attemptKey))
      .map(({ report }) => report);
    return new Map([...first, ...(await this.claims.find(manager, others))]);
  }

  /**
   * Resolves and prices reports as if none of them had been reported before, with their
   * reservations locked or deleted. Of two valid reports of one attempt the first one counts.
   */
  private async resolveCases(
    manager: EntityManager,
    reports: readonly ParsedReport[],
    now: Date,
    deleteAtOnce: boolean,
  ) {
    const horizon = await this.horizon.at(manager, now);
    const refs = reports.map(({ report }) => report.principal);
    const principals = await this.principals.find(manager, refs, now);
    const { reservations, deletedCount } = await this.findReservations(manager, reports, principals, deleteAtOnce);
    const rejections = new Map<ParsedReport, string>();
    const resolved: [ParsedReport, SettlementCase][] = [];
    for (const [at, parsed] of reports.entries()) {
      collectRejection(rejections, parsed, () => {
        resolved.push([parsed, resolveCase(parsed, principals[at], reservations, { now, horizon })]);
      });
    }
    const versions = await this.findPrices(
      manager,
      resolved.map(([, one]) => one),
    );
    const newCases = new Map<string, NewCase>();
    const random = randomBytes(16 * resolved.length);
    for (const [at, [parsed, one]] of resolved.entries()) {
      if (newCases.has(parsed.attemptKey)) continue;
      collectRejection(rejections, parsed, () => {
        const price = computeCasePrice(one, versions[at]);
        const event_id = uuidv7({ random: random.subarray(16 * at, 16 * (at + 1)) });
        newCases.set(parsed.attemptKey, Object.assign(one, { price, event_id, parsed }));
      });
    }
    return { newCases, rejections, deletedCount };
  }

  /**
   * Finds the reservations of reports, locked until the transaction ends.
   * @param deleteAtOnce whether to delete the reservations of attempts, which saves a lookup
   */
  private async findReservations(
    manager: EntityManager,
    reports: readonly ParsedReport[],
    principals: readonly (Principal | undefined)[],
    deleteAtOnce: boolean,
  ) {
    const keys = reports.flatMap(({ admissionId, report: { gateway_id } }, at) => {
      const subject_id = deleteAtOnce ? principals[at]?.subject_id : undefined;
      return subject_id === undefined ? [] : [{ id: admissionId, subject_id, gateway_id }];
    });
    const deleted = keys.length === 0 ? [] : await this.reservations.deleteReturning(manager, keys);
    const reservations = new Map<string, Reservation[]>();
    const add = (one: Reservation) => reservations.set(one.id, [...(reservations.get(one.id) ?? []), one]);
    deleted.forEach(add);
    const others = new Set<string>();
    for (const { admissionId, report } of reports)
      for (const id of [admissionId, report.reservation_id])
        if (id !== undefined && !reservations.has(id)) others.add(id);
    const locked = await this.reservations.lock(manager, [...others].sort());
    for (const some of locked.values()) some.forEach(add);
    return { reservations, deletedCount: deleted.length };
  }

  /**
   * Checks that attempts which were settled without an admission still have none. A concurrent
   * admission of such an attempt has either committed, and this check finds it, or it waits for the
   * cells that this transaction holds, and then finds the settled attempt.
   * @throws SerializationConflictError
   */
  private async requireNoNewAdmissions(manager: EntityManager, cases: readonly NewCase[]): Promise<void> {
    const ids = cases.filter(({ admission }) => admission === undefined).map(({ parsed }) => parsed.admissionId);
    if (await this.reservations.hasAny(manager, ids))
      throw new SerializationConflictError('an attempt was admitted during its settlement');
  }

  /**
   * Finds the prices of each case: the catalog version of its reservation, otherwise the version in
   * effect at its time.
   */
  private async findPrices(
    manager: EntityManager,
    cases: readonly SettlementCase[],
  ): Promise<(CatalogPrices | undefined)[]> {
    const times = new Map<number, Date>();
    const byVersion = new Map<string, CatalogPrices | undefined>();
    for (const { admission, lease, time } of cases) {
      const version = (admission ?? lease)?.pricing_catalog_id;
      if (version === undefined) times.set(time.getTime(), time);
      else if (!byVersion.has(version)) byVersion.set(version, await this.prices.find(manager, version));
    }
    const inEffect = await this.prices.findAllInEffect(manager, [...times.values()]);
    const byTime = new Map([...times.keys()].map((time, at) => [time, inEffect[at]]));
    return cases.map(({ admission, lease, time }) => {
      const version = (admission ?? lease)?.pricing_catalog_id;
      return version === undefined ? byTime.get(time.getTime()) : byVersion.get(version);
    });
  }
}

const REPORT = { schema: UsageReport, verbatim: VERBATIM };

/** Parses an item. @returns the sentences that name its faults, for an invalid item */
function parseReport(item: unknown): ParsedReport | string {
  const read = readItem(REPORT, item);
  if ('error' in read) return read.error;
  const report = addVerbatimTexts(read.item, read.texts);
  return {
    report,
    attemptKey: getAttemptKey(report),
    admissionId: deriveReservationId(report.interaction_id, report.attempt),
    contentHash: computeContentHash(read.value, read.texts),
  };
}

function collectRejection(rejections: Map<ParsedReport, string>, parsed: ParsedReport, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ReportRejectedError)) throw error;
    rejections.set(parsed, error.message);
  }
}
