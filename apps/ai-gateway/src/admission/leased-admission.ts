import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { ModelCallError } from '../formats/model-call-error.ts';
import { Admission, type AdmissionQuery, type AdmittedAttempt } from './admission.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import type { BudgetCalls } from './budget-calls.ts';
import { Denial } from './denial.ts';
import { computeAttemptCharge } from './lease.ts';
import { LeaseRequests } from './lease-requests.ts';
import { LeaseReturns } from './lease-returns.ts';
import type { LeaseSettings } from './lease-settings.ts';
import { ManagerAwayError, ManagerCalls } from './manager-calls.ts';
import { PriceLists } from './price-lists.ts';
import { type LeaseDraw, PrincipalAccount } from './principal-account.ts';
import { SingleAdmissions } from './single-admissions.ts';

/** Principals with leases or waiting calls at once. Others are admitted one by one. */
const MAX_PRINCIPALS = 20_000;
/** Calls of one principal that wait for admission at once. */
const MAX_WAITING = 1_024;
/** Idle principals whose leases one sweep closes, so that it does not block the event loop. */
const MAX_IDLE_CLOSED = 500;
/** Leases that a waiting call waits for, before it is admitted by itself. */
const MAX_LEASE_WAITS = 4;

/** The rules while the enterprise manager does not answer (`spec.webhooks.budgets`). */
export interface WebhookRules {
  readonly timeoutMs: number;
  readonly failureMode: 'Closed' | 'Open';
}

/** The parts of an admission. */
export interface LeasedAdmissionParts {
  readonly budgets: BudgetCalls;
  readonly settings: LeaseSettings;
  readonly readRules: () => WebhookRules;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: AdmissionMetrics;
}

/**
 * Admits attempts within leases, and one by one where no lease can pay
 * (docs/decisions/0210-admit-model-calls-within-leases.md).
 */
export class LeasedAdmission extends Admission {
  private readonly accounts = new Map<string, PrincipalAccount>();
  private readonly calls: ManagerCalls;
  private readonly returns: LeaseReturns;
  private readonly singles: SingleAdmissions;
  private readonly requests: LeaseRequests;

  constructor(private readonly parts: LeasedAdmissionParts) {
    super();
    const { budgets, settings, readRules, clock, log, metrics } = parts;
    const rules = { getTimeoutMs: () => readRules().timeoutMs, awayMs: settings.awayMs };
    this.calls = new ManagerCalls(budgets, rules, clock, log);
    this.returns = new LeaseReturns(budgets, this.calls, clock, log);
    const prices = new PriceLists(budgets, this.calls);
    this.singles = new SingleAdmissions(budgets, this.calls, prices, clock);
    const { calls, returns } = this;
    this.requests = new LeaseRequests({ budgets, calls, prices, returns, settings, clock, metrics });
    metrics.observe(() => this.readState());
  }

  override admit(query: AdmissionQuery, signal: AbortSignal): AdmittedAttempt | Promise<AdmittedAttempt> {
    const account = this.accounts.get(query.principal.id);
    const attempt = account && this.drawFrom(account, query);
    return attempt ?? this.admitSlowly(account ?? this.createAccount(query), query, signal);
  }

  /**
   * Returns the leases of a principal whose credential has changed or ended.
   * @param principalId `Principal.id`
   */
  override forget(principalId: string): void {
    this.accounts.get(principalId)?.close();
    this.returns.sweep();
  }

  /** Does what is due: renewals end, idle leases are returned, reservations are extended. */
  sweep(): void {
    const now = this.now();
    let closed = 0;
    for (const [id, account] of this.accounts) {
      account.closeEnded(now);
      const isIdle = now - account.lastUsedAt >= this.parts.settings.idleMs && account.waiting.calls === 0;
      if (isIdle && !this.calls.isAway && closed < MAX_IDLE_CLOSED) {
        closed += 1;
        this.closeIdle(account);
      }
      if (account.isEmpty(now)) this.accounts.delete(id);
    }
    this.returns.sweep();
    this.singles.sweep();
    if (this.accounts.size > 0) this.calls.keepContact(now);
  }

  /** Returns all leases and ends all calls. Admitted attempts can still finish. */
  async stop(): Promise<void> {
    for (const account of this.accounts.values()) account.close();
    await this.returns.flush();
    await this.calls.stop();
  }

  private closeIdle(account: PrincipalAccount): void {
    account.close();
    if (account.pending === undefined || account.request !== undefined) return;
    this.returns.returnPending(account.pending, this.parts.settings.lifetimeMs);
    account.pending = undefined;
  }

  /** Admits an attempt within a lease of the principal, and renews the lease ahead of time. */
  private drawFrom(account: PrincipalAccount, query: AdmissionQuery): AdmittedAttempt | undefined {
    const now = this.now();
    if (!this.calls.canUseLeases(now)) return undefined;
    const draw = account.draw(query, now);
    if (draw === undefined) return undefined;
    if (!this.calls.isAway && account.shouldRenew(now))
      this.requests.request(account, query, draw.estimate).catch(() => undefined);
    this.parts.metrics.recordAdmission('lease');
    return createAttempt(draw, now);
  }

  private createAccount(query: AdmissionQuery): PrincipalAccount {
    const account = new PrincipalAccount((lease) => this.returns.add(lease));
    account.lastUsedAt = this.now();
    if (this.accounts.size < MAX_PRINCIPALS) this.accounts.set(query.principal.id, account);
    else account.noLeaseBefore = Infinity;
    return account;
  }

  private async admitSlowly(
    account: PrincipalAccount,
    query: AdmissionQuery,
    signal: AbortSignal,
  ): Promise<AdmittedAttempt> {
    account.closeEnded(this.now(), query.principal.keyVersion);
    this.refuseAgain(account, query);
    if (account.waiting.calls >= MAX_WAITING) {
      this.parts.metrics.recordDenial('too_many_waiting');
      throw new ModelCallError('rate_limited', 'Too many of your requests wait for admission. Send fewer at once.', {
        retryAfterMs: 1_000,
      });
    }
    const estimate = this.requests.estimate(query) ?? 0n;
    account.waiting.calls += 1;
    account.waiting.usd += estimate;
    try {
      return (
        (await this.awaitLease(account, query, signal)) ??
        (await account.singleAdmissions.run(() => this.admitSingly(account, query, signal)))
      );
    } catch (error) {
      return this.handleFailure(query, error);
    } finally {
      account.waiting.calls -= 1;
      account.waiting.usd -= estimate;
    }
  }

  /** Refuses what a remembered denial covers. @throws ModelCallError */
  private refuseAgain({ denial }: PrincipalAccount, query: AdmissionQuery): void {
    if (denial?.isRecent(this.now()) !== true || !denial.covers(query)) return;
    this.parts.metrics.recordDenial(denial.reason);
    throw denial.toError();
  }

  private async awaitLease(
    account: PrincipalAccount,
    query: AdmissionQuery,
    signal: AbortSignal,
  ): Promise<AdmittedAttempt | undefined> {
    for (let waits = 0; waits < MAX_LEASE_WAITS; waits += 1) {
      const estimate = this.requests.estimate(query);
      if (estimate === undefined || this.now() < account.noLeaseBefore) return undefined;
      const isGranted = await this.requests.request(account, query, estimate).catch((error: unknown) => {
        if (!(error instanceof ManagerError)) throw error;
        this.parts.log.error({ err: error, principal: query.principal.id }, 'a lease could not be requested');
        return false;
      });
      signal.throwIfAborted();
      const attempt = this.drawFrom(account, query);
      if (attempt !== undefined) return attempt;
      if (!isGranted) return undefined;
    }
    return undefined;
  }

  /** The call is not aborted with the client: its reservation is known to the caller then. */
  private async admitSingly(
    account: PrincipalAccount,
    query: AdmissionQuery,
    signal: AbortSignal,
  ): Promise<AdmittedAttempt> {
    const { metrics } = this.parts;
    signal.throwIfAborted();
    this.refuseAgain(account, query);
    let result = await this.singles.admit(query);
    if (result instanceof Denial && result.reason === 'budget_exhausted' && (await this.returnUnused(account)))
      result = await this.singles.admit(query);
    if (!(result instanceof Denial)) {
      metrics.recordAdmission('single');
      return result;
    }
    account.denial = result;
    metrics.recordDenial(result.reason);
    throw result.toError();
  }

  /**
   * Returns the leases of a principal without running attempts: they can hold the amount that a
   * single admission needs.
   * @returns whether there were any
   */
  private async returnUnused(account: PrincipalAccount): Promise<boolean> {
    const leases = account.closeUnused();
    await Promise.all(leases.map((lease) => this.returns.returnNow(lease)));
    return leases.length > 0;
  }

  private handleFailure(query: AdmissionQuery, error: unknown): AdmittedAttempt {
    const { log, metrics, readRules } = this.parts;
    if (error instanceof ManagerAwayError) {
      if (readRules().failureMode === 'Open') {
        metrics.recordAdmission('open');
        return { reservationId: undefined, admittedAt: this.parts.clock.now().toISOString(), finish: () => undefined };
      }
      metrics.recordDenial('manager_away');
      throw new ModelCallError('unavailable', 'The gateway cannot admit requests now. Try again later.', {
        reason: 'manager_away',
        retryAfterMs: 1_000,
        cause: error,
      });
    }
    if (!(error instanceof ManagerError)) throw error;
    log.error({ err: error, principal: query.principal.id }, 'the enterprise manager refused an admission');
    throw new ModelCallError('internal', 'The gateway could not admit the request. Try again later.', { cause: error });
  }

  private readState() {
    const leases = [...this.accounts.values()].flatMap(({ openLeases }) => openLeases);
    return {
      openLeases: leases.length,
      leased: leases.reduce((sum, { unused }) => sum + unused, 0n),
      awayMs: this.calls.getAwayMs(this.now()),
    };
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}

function createAttempt({ lease, rates, estimate }: LeaseDraw, now: number): AdmittedAttempt {
  let isFinished = false;
  return {
    reservationId: lease.terms.id,
    admittedAt: new Date(Math.max(now, lease.terms.startsAt)).toISOString(),
    finish: (usage) => {
      if (isFinished) return undefined;
      isFinished = true;
      const charge = computeAttemptCharge(rates, usage, estimate);
      lease.settle(estimate, charge);
      return charge;
    },
  };
}
