import { LONGEST_OUTPUT_TOKENS, maxOutputTokens } from '@gatehouse/money/model-limits';
import type { Usd } from '@gatehouse/money/usd';
import type { AdmittedAttempt } from '../admission/admission.ts';
import { createEstimatedUsage, estimateTokens } from '../formats/estimated-usage.ts';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import type { ResponseReport } from '../formats/response-reader.ts';
import type { UsageIntent, UsageOutcome } from '../settlement/usage-recorder.ts';
import { type AttemptedCall, type AttemptPlan, getPricedModel } from './attempt-plan.ts';
import type { RelayOutcome } from './relay.ts';

/** The end of an attempt without its duration. */
export type AttemptEnd = Omit<UsageOutcome, 'duration_ms' | 'raw_usage'> & { readonly raw_usage?: JsonObject };

/** An admission and an intent that the end of the attempt settles. */
interface Debt {
  readonly admitted: AdmittedAttempt;
  readonly intent: UsageIntent;
}

/** The money of one attempt: its admission, the intent, and the settlement. */
export class AttemptCharge {
  /** Undefined before the admission, and for operations that cost nothing. */
  private debt: Debt | undefined;

  constructor(
    private readonly call: AttemptedCall,
    private readonly plan: AttemptPlan,
  ) {}

  /**
   * Admits the attempt to the budgets of its principal and records the intent.
   * @throws ModelCallError if the attempt must not be sent
   */
  async admit(): Promise<void> {
    const { parts, interactionId, signal } = this.call;
    const { principal, route, request, number, operation } = this.plan;
    if (parts.budgets === undefined)
      throw new ModelCallError(
        'unavailable',
        'The gateway has no enterprise manager, so it cannot serve billed calls.',
      );
    const { admission, recorder } = parts.budgets;
    const query = {
      interactionId,
      attempt: number,
      principal,
      provider: operation.format,
      route: route.name,
      requestedModel: request.model,
      model: getPricedModel(this.plan),
      estimate: request.estimate,
    };
    const answer = admission.admit(query, signal);
    const admitted = answer instanceof Promise ? await answer : answer;
    const intent = this.createIntent(admitted);
    try {
      recorder.begin(intent);
    } catch (cause) {
      admitted.finish(undefined);
      throw new ModelCallError('unavailable', 'The gateway cannot record usage now. Try again later.', { cause });
    }
    this.debt = { admitted, intent };
  }

  private createIntent(admitted: AdmittedAttempt): UsageIntent {
    const { principal, route, request, number, operation } = this.plan;
    return {
      interaction_id: this.call.interactionId,
      attempt: number,
      reservation_id: admitted.reservationId,
      event_time: admitted.admittedAt,
      principal: principal.wire,
      provider: operation.format,
      route: route.name,
      requested_model: request.model,
      model: getPricedModel(this.plan),
      estimated_usage: createEstimatedUsage(operation.format, request.estimate, this.computeMaxOutput()),
    };
  }

  /** The largest output. It is charged if the process ends before the attempt. */
  private computeMaxOutput(): number {
    const { operation, request } = this.plan;
    if (operation.telemetryName === 'embeddings') return 0;
    return request.estimate.maxOutputTokens ?? maxOutputTokens(operation.format, getPricedModel(this.plan));
  }

  /**
   * The end of an attempt without a response, whose client has disconnected. The provider may have
   * read the prompt before it saw that.
   * @param isSent whether the request went out
   */
  createDisconnect(isSent: boolean): AttemptEnd {
    const promptTokens = isSent ? this.plan.request.estimate.promptTokens : 0;
    const estimated_usage = createEstimatedUsage(this.plan.operation.format, { promptTokens }, 0);
    return { outcome: 'client_disconnect', upstream_status: 0, estimated_usage };
  }

  /** The end of an attempt whose response cannot be read: its prompt is charged. */
  createUnreadable(status: number): AttemptEnd {
    const { operation, request } = this.plan;
    const estimated_usage = createEstimatedUsage(operation.format, request.estimate, 0);
    return { outcome: 'upstream_error', upstream_status: status, estimated_usage };
  }

  /**
   * The end of a response: the reported usage, else an estimate of what was received. No model
   * generates more than the longest output, so more bytes are not an answer.
   */
  createEnd(outcome: RelayOutcome, status: number, report: ResponseReport): AttemptEnd {
    const { operation, request } = this.plan;
    if (report.usage !== undefined) return { outcome, upstream_status: status, raw_usage: report.usage };
    const longest = Math.max(LONGEST_OUTPUT_TOKENS, request.estimate.maxOutputTokens ?? 0);
    const output = Math.min(estimateTokens(report.outputBytes), longest);
    const estimated_usage = createEstimatedUsage(operation.format, request.estimate, output, report.promptUsage);
    return { outcome, upstream_status: status, estimated_usage };
  }

  /**
   * Records the end of the attempt durably, and gives its reservation back.
   * @returns the charge; undefined if its price is not known here
   */
  async settle(outcome: UsageOutcome): Promise<Usd | undefined> {
    const { debt } = this;
    if (debt === undefined) return undefined;
    await this.call.parts.budgets?.recorder.finish(debt.intent, outcome);
    const usage = outcome.raw_usage ?? outcome.estimated_usage;
    const cost = debt.admitted.finish(usage);
    this.call.addUsage(this.plan.operation.format, usage);
    return cost;
  }
}
