import { estimateModelRequest } from '@gatehouse/money/estimate';
import { type Usd, readUsd, writeUsd } from '@gatehouse/money/usd';
import type { Clock } from '@gatehouse/service-kit/clock';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { v7 as uuidv7 } from 'uuid';
import type { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionQuery } from './admission.ts';
import type { BudgetCalls, LeaseDecision } from './budget-calls.ts';
import { concernsPrincipal } from './denial.ts';
import { Lease } from './lease.ts';
import type { LeaseReturns } from './lease-returns.ts';
import { type LeaseSettings, computeLeaseAmount, computeLeaseTimes } from './lease-settings.ts';
import type { ManagerCalls } from './manager-calls.ts';
import type { PriceLists } from './price-lists.ts';
import type { PendingLease, PrincipalAccount } from './principal-account.ts';

/** After a lease was refused, attempts are admitted one by one for this time. */
const REFUSAL_MS = 1_000;
/** The part of a budget that one lease may take: other gateways and principals need the rest. */
const SHARE_PERCENT = 25;

interface LeaseRequestParts {
  readonly budgets: BudgetCalls;
  readonly calls: ManagerCalls;
  readonly prices: PriceLists;
  readonly returns: LeaseReturns;
  readonly settings: LeaseSettings;
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
}

/** Requests leases, one at a time for each principal. */
export class LeaseRequests {
  constructor(private readonly parts: LeaseRequestParts) {}

  /**
   * Estimates an attempt by the last known prices.
   * @returns undefined if a lease cannot pay: without a price, or for more than the largest lease
   */
  estimate({ provider, model, estimate }: AdmissionQuery): Usd | undefined {
    const rates = this.parts.prices.latest?.find(provider, model);
    const cost = rates && estimateModelRequest(rates, model, estimate);
    return cost !== undefined && cost <= this.parts.settings.maxUsd ? cost : undefined;
  }

  /**
   * Requests a lease, or waits for the request that is running.
   * @param estimate the estimated cost of the attempt
   * @returns whether the principal has a new lease
   * @throws ManagerAwayError
   * @throws ManagerError
   */
  request(account: PrincipalAccount, query: AdmissionQuery, estimate: Usd): Promise<boolean> {
    account.request ??= this.send(account, query, estimate)
      .catch((error: unknown) => {
        account.noLeaseBefore = this.now() + REFUSAL_MS;
        throw error;
      })
      .finally(() => {
        account.request = undefined;
      });
    return account.request;
  }

  private async send(account: PrincipalAccount, query: AdmissionQuery, estimate: Usd): Promise<boolean> {
    const { budgets, calls, returns, settings } = this.parts;
    const pending = this.prepare(account, query, estimate);
    const decision = await calls
      .send((signal) => budgets.grantLease(pending.request, signal))
      .catch((error: unknown) => {
        // The lease has ended meanwhile, or its content is refused: the id is of no use.
        if (error instanceof ManagerError) account.pending = undefined;
        throw error;
      });
    account.pending = undefined;
    const granted = readUsd(decision.granted_usd);
    if (granted === 0n) return this.refuse(account, decision);
    const lease = await this.open(pending, decision, granted).catch((error: unknown) => {
      returns.returnPending(pending, settings.lifetimeMs);
      throw error;
    });
    // A lease can end at once: at the end of a budget window, or if the clocks differ by minutes.
    if (granted < estimate || !lease.isOpen(this.now(), lease.terms.keyVersion)) {
      // It holds what a single admission may need, so it must be returned before.
      await returns.returnNow(lease);
      return this.refuse(account, decision);
    }
    account.add(lease);
    return true;
  }

  /** Returns the request that has no answer so far, or a new one. */
  private prepare(account: PrincipalAccount, query: AdmissionQuery, estimate: Usd): PendingLease {
    const { settings } = this.parts;
    const now = this.now();
    const { pending } = account;
    if (pending !== undefined && now - pending.sentAt < settings.lifetimeMs && pending.amount >= estimate)
      return pending;
    if (pending !== undefined) this.parts.returns.returnPending(pending, settings.lifetimeMs);
    const amount = computeLeaseAmount(estimate, account.waiting.usd, settings);
    account.pending = {
      request: {
        lease_id: uuidv7(),
        principal: query.principal.wire,
        amount_usd: writeUsd(amount),
        ttl_seconds: settings.lifetimeMs / 1_000,
        share_percent: SHARE_PERCENT,
      },
      amount,
      sentAt: now,
    };
    return account.pending;
  }

  private async open(
    { request, sentAt }: PendingLease,
    { expires_at, pricing_catalog_id, payer, key_version = 0 }: LeaseDecision,
    granted: Usd,
  ): Promise<Lease> {
    if (expires_at === undefined || pricing_catalog_id === undefined)
      throw new ManagerError(undefined, 'a granted lease needs expires_at and pricing_catalog_id');
    const hasPayer = payer !== undefined;
    const expiresAt = Date.parse(expires_at);
    const prices = await this.parts.prices.fetch(pricing_catalog_id);
    return new Lease({
      id: request.lease_id,
      granted,
      hasPayer,
      keyVersion: key_version,
      prices,
      expiresAt,
      ...computeLeaseTimes({ sentAt, expiresAt, hasPayer }, this.parts.settings),
    });
  }

  private refuse(account: PrincipalAccount, { reason }: LeaseDecision): false {
    this.parts.metrics.recordRefusedLease(reason ?? 'budget_exhausted');
    account.noLeaseBefore = this.now() + REFUSAL_MS;
    account.close(({ terms }) => !terms.hasPayer || (reason !== undefined && concernsPrincipal(reason)));
    return false;
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}
