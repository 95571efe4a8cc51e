import type { Clock } from '@gatehouse/service-kit/clock';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { AdmissionQuery, AdmittedAttempt } from './admission.ts';
import type { AttemptRequest, BudgetCalls } from './budget-calls.ts';
import { Denial } from './denial.ts';
import { computeAttemptCharge } from './lease.ts';
import type { ManagerCalls } from './manager-calls.ts';
import type { PriceLists } from './price-lists.ts';

/** A reservation is extended for this time, and again when it ends sooner than in the margin. */
const EXTENSION_SECONDS = 900;
const EXTENSION_MARGIN_MS = 300_000;
/** The largest count that the enterprise manager accepts. */
const MAX_TOKENS = 1_000_000_000;

interface Reservation {
  readonly id: string;
  /** Milliseconds since the epoch. */
  endsAt: number;
  isExtending: boolean;
}

/** Admits attempts one by one, by reservations of the enterprise manager. */
export class SingleAdmissions {
  private readonly running = new Set<Reservation>();

  constructor(
    private readonly budgets: BudgetCalls,
    private readonly calls: ManagerCalls,
    private readonly prices: PriceLists,
    private readonly clock: Clock,
  ) {}

  /** @throws as `ManagerCalls.send` */
  async admit(query: AdmissionQuery): Promise<AdmittedAttempt | Denial> {
    const request = toAttemptRequest(query);
    const decision = await this.calls.send((signal) => this.budgets.admit(request, signal));
    const { reservation_id: id, expires_at, reason, message, pricing_catalog_id } = decision;
    if (decision.decision === 'denied')
      return new Denial(reason ?? 'budget_exhausted', message, query, this.clock.now().getTime());
    if (id === undefined || expires_at === undefined)
      throw new ManagerError(undefined, 'an admitted request needs reservation_id and expires_at');
    if (pricing_catalog_id !== undefined) this.prices.fetch(pricing_catalog_id).catch(() => undefined);
    const reservation = { id, endsAt: Date.parse(expires_at), isExtending: false };
    this.running.add(reservation);
    return {
      reservationId: id,
      admittedAt: decision.admitted_at,
      finish: (usage) => {
        this.running.delete(reservation);
        const rates = this.prices.find(pricing_catalog_id)?.find(query.provider, query.model);
        return rates && computeAttemptCharge(rates, usage, 0n);
      },
    };
  }

  /** Extends the reservations of running attempts that end soon. */
  sweep(): void {
    const now = this.clock.now().getTime();
    for (const reservation of this.running)
      if (!reservation.isExtending && reservation.endsAt - now < EXTENSION_MARGIN_MS) void this.extend(reservation);
  }

  private async extend(reservation: Reservation): Promise<void> {
    if (this.calls.isAway) return;
    reservation.isExtending = true;
    const now = this.clock.now().getTime();
    try {
      await this.calls.send((signal) => this.budgets.extendReservation(reservation.id, EXTENSION_SECONDS, signal));
      reservation.endsAt = now + EXTENSION_SECONDS * 1_000;
    } catch (error) {
      // 404: it was settled or has expired. Its usage is charged in full all the same.
      if (error instanceof ManagerError) this.running.delete(reservation);
    } finally {
      reservation.isExtending = false;
    }
  }
}

function toAttemptRequest(query: AdmissionQuery): AttemptRequest {
  const { interactionId, attempt, principal, provider, requestedModel, model, route, estimate } = query;
  const limit = estimate.maxOutputTokens;
  return {
    interaction_id: interactionId,
    attempt,
    principal: principal.wire,
    provider,
    requested_model: requestedModel,
    model,
    route,
    estimate: {
      prompt_tokens: Math.min(estimate.promptTokens, MAX_TOKENS),
      ...(limit !== undefined && { max_output_tokens: Math.min(limit, MAX_TOKENS) }),
    },
  };
}
