import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { Batches } from '@gatehouse/service-kit/batches';
import { Clock } from '@gatehouse/service-kit/clock';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockBudgetsShared } from '../budgets/budgets-lock.ts';
import { type CellAmounts, type CellKey, getCellId, listCellKeys } from '../budgets/cell.ts';
import { CellsRepository } from '../budgets/cells.repository.ts';
import { type Candidate, listLimitedCellKeys } from '../budgets/payer.ts';
import { type Principal, PrincipalsRepository } from '../budgets/principals.repository.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { KeyLastUseRecorder } from '../../keys/key-last-use-recorder.ts';
import { PriceLists } from '../pricing/price-lists.ts';
import type { DenialReason } from './admission.dto.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import {
  type AdmissionOutcome,
  type SettledOutcome,
  rejectSettledAttempt,
  replayDecision,
  toRejection,
} from './admission-replay.ts';
import { CellBalances, allocate } from './allocation.ts';
import type { DeniedAdmission } from './denial-counts.ts';
import { DenialsService } from './denials.service.ts';
import type { GrantedReservation } from './reservation.ts';
import { type Precheck, type ReservationRequest, createReservation, precheckRequest } from './reservation-request.ts';
import { type ReservationSubject, ReservationsRepository } from './reservations.repository.ts';

/**
 * Each running batch uses one connection. The size is small enough that 64 concurrent callers make
 * two batches: one is in the database while the responses of the other are sent.
 */
const BATCH_LIMITS = { size: 32, running: 3, patienceMs: 50, waiting: 10_000 };
/** Retries of a round after a concurrent update, and of a transaction after a deadlock. */
const MAX_RETRIES = 5;
/** Retries of a round that leave the cells unlocked. */
const MAX_UNLOCKED_RETRIES = 2;

/**
 * Another transaction created the same reservation, settled its attempt, or used up a cell. The
 * round is retried.
 */
class ConcurrentUpdateError extends GatehouseError {
  override readonly code = 'concurrent_update';
}

/** The read mode of a round. */
interface ReadMode {
  /** Locks the cells of all candidates from the read on. */
  locked: boolean;
  /** Reads earlier reservations of all requests first; otherwise only those of denied requests. */
  checkReplays: boolean;
}

/** The data by which a round decides. */
interface RoundContext {
  now: Date;
  /** The cells with the reservations of this round. */
  balances: CellBalances;
  /** The cells before this round; undefined when they are locked. */
  initialBalances: CellBalances | undefined;
  catalogId: string;
  /** The users of the requests as budgets name them; undefined for a key that does not exist. */
  subjectIds: readonly (string | undefined)[];
  prechecks: readonly Precheck[];
}

/**
 * Decides requests for reservations and stores what it grants. Concurrent requests are decided
 * together in one transaction; a response is sent after its commit. Transactions, locks and retries
 * follow docs/decisions/0070-decide-admissions-in-batches.md.
 */
@Injectable()
export class AdmissionDecider {
  private readonly batches: Batches<ReservationRequest, AdmissionOutcome>;

  constructor(
    private readonly principals: PrincipalsRepository,
    private readonly priceLists: PriceLists,
    private readonly cells: CellsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly metrics: AdmissionMetrics,
    private readonly keyLastUses: KeyLastUseRecorder,
    private readonly denials: DenialsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.batches = new Batches((requests) => this.decideBatch(requests), BATCH_LIMITS);
  }

  /**
   * Decides one request, in a batch with concurrent requests.
   * @throws HttpError conflict for an attempt or lease that cannot be granted again, unavailable
   */
  async decide(request: ReservationRequest): Promise<AdmissionOutcome> {
    const outcome = await this.batches.add(request);
    if ('reservation' in outcome && outcome.reservation.virtual_key_id !== undefined)
      this.keyLastUses.record(outcome.reservation.virtual_key_id, outcome.reservation.admitted_at.getTime());
    if ('denial' in outcome)
      this.denials.record(toDeniedAdmission(request, outcome.denial, outcome.subjectId), outcome.decidedAt);
    return outcome;
  }

  private async decideBatch(requests: readonly ReservationRequest[]): Promise<SettledOutcome[]> {
    const outcomes = await this.runRound(requests, false);
    const undecided = requests.flatMap((request, index) => (outcomes[index] === undefined ? [{ request, index }] : []));
    this.metrics.recordBatch(requests.length, undecided.length);
    if (undecided.length > 0) {
      const decided = await this.runRound(
        undecided.map(({ request }) => request),
        true,
      );
      for (const [position, { index }] of undecided.entries()) outcomes[index] = decided[position];
    }
    return outcomes.map((outcome) => outcome ?? toRejection(new Error('a locked round left a request undecided')));
  }

  /**
   * Decides requests in one transaction and retries it after concurrent updates. If the
   * transaction fails although the database is available, each request gets a transaction of its
   * own, so that only the failing request fails.
   * @returns the outcome of each request; undefined for those that need a locked round
   */
  private async runRound(
    requests: readonly ReservationRequest[],
    locked: boolean,
  ): Promise<(SettledOutcome | undefined)[]> {
    for (let retry = 0; ; retry += 1) {
      const mode = { locked: locked || retry > MAX_UNLOCKED_RETRIES, checkReplays: locked || retry > 0 };
      try {
        return await inTransaction(this.dataSource, (manager) => this.decideInTransaction(manager, requests, mode), {
          retries: MAX_RETRIES,
        });
      } catch (error) {
        if (error instanceof ConcurrentUpdateError && retry < MAX_RETRIES) continue;
        if (requests.length === 1 || isUnavailable(error)) return requests.map(() => toRejection(error));
        const outcomes: (SettledOutcome | undefined)[] = [];
        for (const request of requests) outcomes.push(...(await this.runRound([request], locked)));
        return outcomes;
      }
    }
  }

  private async decideInTransaction(
    manager: EntityManager,
    requests: readonly ReservationRequest[],
    mode: ReadMode,
  ): Promise<(SettledOutcome | undefined)[]> {
    const context = await this.readContext(manager, requests, mode);
    const replay = await this.readReplays(manager, mode.checkReplays ? requests : []);
    const outcomes: (SettledOutcome | undefined)[] = [];
    const created = new Map<string, GrantedReservation>();
    const denied: { request: ReservationRequest; index: number }[] = [];
    for (const [index, request] of requests.entries()) {
      const twin = created.get(request.id);
      outcomes[index] =
        twin === undefined ? replay(request, context.now) : replayDecision(request, [twin], context.now);
      if (outcomes[index] !== undefined) continue;
      const outcome = this.decideFirst(request, context.prechecks[index], context);
      if (outcome === undefined) continue;
      if ('denial' in outcome) {
        outcome.subjectId = context.subjectIds[index];
        denied.push({ request, index });
      } else created.set(request.id, outcome.reservation);
      outcomes[index] = { status: 'fulfilled', value: outcome };
    }
    if (!mode.checkReplays && denied.length > 0) {
      const replayDenied = await this.readReplays(
        manager,
        denied.map(({ request }) => request),
      );
      for (const { request, index } of denied) outcomes[index] = replayDenied(request, context.now) ?? outcomes[index];
    }
    await this.write(manager, context.balances, [...created.values()]);
    return outcomes;
  }

  /** Reserves in the cells and stores the reservations. @throws ConcurrentUpdateError */
  private async write(
    manager: EntityManager,
    balances: CellBalances,
    created: readonly GrantedReservation[],
  ): Promise<void> {
    const reserved = balances.listReservations();
    if (reserved.length > 0 && !(await this.cells.reserve(manager, reserved))) throw new ConcurrentUpdateError();
    if (created.length > 0 && (await this.reservations.insert(manager, created)) < created.length)
      throw new ConcurrentUpdateError();
  }

  private async readContext(
    manager: EntityManager,
    requests: readonly ReservationRequest[],
    { locked }: ReadMode,
  ): Promise<RoundContext> {
    await lockBudgetsShared(manager);
    const now = this.clock.now();
    const principals = await this.principals.find(
      manager,
      requests.map(({ body }) => body.principal),
      now,
    );
    const catalog = await this.priceLists.findInEffect(manager, now);
    const terms = { catalog, requireBudget: this.settings.REQUIRE_BUDGET };
    const prechecks = requests.map((request, index) => precheckRequest(request, principals[index], terms));
    const amounts = await this.readCells(manager, prechecks, now, locked);
    return {
      now,
      balances: new CellBalances(amounts, now),
      initialBalances: locked ? undefined : new CellBalances(amounts, now),
      catalogId: catalog?.id ?? '',
      subjectIds: principals.map((principal) => principal?.subject_id),
      prechecks,
    };
  }

  /** Reads the cells of all payers that may have to pay. */
  private readCells(manager: EntityManager, prechecks: readonly Precheck[], now: Date, locked: boolean) {
    const allocations = prechecks.flatMap((precheck) =>
      'allocation' in precheck && precheck.allocation.mode !== 'free' ? precheck.allocation : [],
    );
    const candidates = removeDuplicates(allocations.flatMap((allocation) => allocation.candidates));
    const keys = removeDuplicateKeys(
      candidates.flatMap((candidate) => (locked ? listCellKeys(candidate, now) : listLimitedCellKeys(candidate, now))),
    );
    if (keys.length === 0) return new Map<string, CellAmounts>();
    return locked ? this.cells.lock(manager, keys) : this.cells.read(manager, keys);
  }

  /**
   * Reads the earlier reservations and reported attempts of some requests.
   * @returns a function that repeats the earlier decision on a request; it returns undefined for a
   * request without an earlier decision, or one that was not read
   */
  private async readReplays(manager: EntityManager, requests: readonly ReservationRequest[]) {
    const { reservations, settled } = await this.reservations.readExisting(manager, requests.map(toSubject));
    return (request: ReservationRequest, now: Date): SettledOutcome | undefined => {
      const existing = reservations.get(request.id);
      if (existing !== undefined) return replayDecision(request, existing, now);
      return settled.has(request.id) ? rejectSettledAttempt() : undefined;
    };
  }

  /**
   * Decides a request that has no earlier decision.
   * @returns undefined when the decision needs locked cells
   */
  private decideFirst(
    request: ReservationRequest,
    precheck: Precheck | undefined,
    context: RoundContext,
  ): AdmissionOutcome | undefined {
    const { now, balances, initialBalances } = context;
    if (precheck === undefined) return undefined;
    if ('denial' in precheck) return { denial: precheck.denial, decidedAt: now };
    const { principal } = precheck;
    if ('unlimited' in precheck) return this.grant(request, principal, undefined, precheck.unlimited, context);
    const result = allocate(balances, precheck.allocation, initialBalances);
    if (result === 'undecided') return undefined;
    if (result === 'exhausted') return { denial: 'budget_exhausted', decidedAt: now };
    return this.grant(request, principal, result.payer, result.amount, context);
  }

  private grant(
    request: ReservationRequest,
    principal: Principal,
    payer: Candidate | undefined,
    amount: bigint,
    { now, catalogId }: RoundContext,
  ): AdmissionOutcome {
    const seconds = request.kind === 'lease' ? request.body.ttl_seconds : this.settings.RESERVATION_SECONDS;
    const reservation = createReservation(request, principal, { payer, amount, catalogId, at: now, seconds });
    return { reservation, keyVersion: principal.key_version, repeated: false };
  }
}

const toDeniedAdmission = (
  { kind, body }: ReservationRequest,
  reason: DenialReason,
  auth_subject: string | undefined,
): DeniedAdmission => ({
  kind,
  reason,
  gateway_id: body.gateway_id,
  auth_subject,
  virtual_key_id: 'virtual_key_id' in body.principal ? body.principal.virtual_key_id : undefined,
  provider: 'provider' in body ? body.provider : undefined,
  model: 'model' in body ? body.model : undefined,
});

/** A lease has no attempt. */
const toSubject = ({ kind, id, body }: ReservationRequest): ReservationSubject =>
  kind === 'lease' ? { id } : { id, interaction_id: body.interaction_id, attempt: body.attempt };

/** Compares by identity: principals share their candidates. */
const removeDuplicates = <T>(items: readonly T[]): T[] => [...new Set(items)];

const removeDuplicateKeys = (keys: readonly CellKey[]): CellKey[] => [
  ...new Map(keys.map((key) => [getCellId(key), key])).values(),
];
