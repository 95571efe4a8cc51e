import { ModelCallError } from '../formats/model-call-error.ts';
import type { AdmissionQuery } from './admission.ts';
import type { DenialReason } from './budget-calls.ts';

/** The message to callers. It is the same for all reasons. */
const DENIED_MESSAGE = 'this request cannot be served now; ask the administrators of your organisation';
/** A client that repeats a denied request at once does not reach the enterprise manager. */
const MEMORY_MS = 1_000;

/** Reasons that concern a principal as a whole. */
const PRINCIPAL_REASONS: readonly DenialReason[] = ['no_budget', 'key_inactive', 'principal_inactive'];

/** Whether a reason denies every attempt of the principal. */
export const concernsPrincipal = (reason: DenialReason): boolean => PRINCIPAL_REASONS.includes(reason);

/** A denial of the enterprise manager. */
export class Denial {
  /** @param decidedAt milliseconds since the epoch */
  constructor(
    readonly reason: DenialReason,
    private readonly message: string | undefined,
    private readonly query: AdmissionQuery,
    private readonly decidedAt: number,
  ) {}

  isRecent(now: number): boolean {
    return Math.abs(now - this.decidedAt) < MEMORY_MS;
  }

  /** Whether the enterprise manager would deny another attempt of the principal as well. */
  covers({ principal, provider, model, estimate }: AdmissionQuery): boolean {
    if (principal.keyVersion !== this.query.principal.keyVersion) return false;
    if (concernsPrincipal(this.reason)) return true;
    if (provider !== this.query.provider || model !== this.query.model) return false;
    const denied = this.query.estimate;
    return (
      this.reason !== 'budget_exhausted' ||
      (estimate.promptTokens >= denied.promptTokens &&
        (estimate.maxOutputTokens === denied.maxOutputTokens ||
          (denied.maxOutputTokens !== undefined && (estimate.maxOutputTokens ?? 0) >= denied.maxOutputTokens)))
    );
  }

  /** The error for the caller, with the reason for administrators. */
  toError(): ModelCallError {
    const failure = this.reason === 'budget_exhausted' ? 'budget_exceeded' : 'denied';
    return new ModelCallError(failure, this.message ?? DENIED_MESSAGE, { reason: this.reason });
  }
}
