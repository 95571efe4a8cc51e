import { writeUsd } from '@gatehouse/money/usd';
import type { ClientSpans } from '@gatehouse/service-kit/client-spans';
import type { Log } from '@gatehouse/service-kit/log';
import type { Metrics } from '@gatehouse/service-kit/metrics';
import { inRequest, type RequestContext } from '@gatehouse/service-kit/request-context';
import { CallObserver, type ObservedAttempt, type ObservedRefusal } from '../exchange/call-observer.ts';
import type { TokenCounts } from '../formats/token-counts.ts';
import { countReportedTokens, findErrorType } from './attempt-facts.ts';
import { createAttemptSpan, listFinishReasons, shorten } from './attempt-spans.ts';
import { ModelCallMetrics } from './model-call-metrics.ts';
import { RefusalLog } from './refusal-log.ts';

/** The parts of telemetry. */
export interface CallTelemetryParts {
  readonly metrics: Metrics;
  readonly spans: ClientSpans;
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Turns the ends of attempts and calls into metrics, spans and log lines. */
export class CallTelemetry extends CallObserver {
  private readonly metrics: ModelCallMetrics;
  private readonly refusals: RefusalLog;

  constructor(private readonly parts: CallTelemetryParts) {
    super();
    this.metrics = new ModelCallMetrics(parts.metrics);
    this.refusals = new RefusalLog(parts.log, parts.now);
  }

  override recordAttempt(attempt: ObservedAttempt): void {
    const tokens = countReportedTokens(attempt);
    const errorType = findErrorType(attempt);
    this.metrics.recordAttempt(attempt, { tokens, errorType });
    if (this.parts.spans.isEnabled) this.parts.spans.record(createAttemptSpan(attempt, { tokens, errorType }));
    const fields = createLogFields(attempt, tokens, errorType);
    inContext(attempt.context, () => this.parts.log.info(fields, 'a provider was called'));
  }

  override recordRefusal(refusal: ObservedRefusal): void {
    this.metrics.recordRefusal(refusal);
    inContext(refusal.context, () => this.refusals.record(refusal));
  }
}

/** The end of an attempt can run in the context of the request that opened the connection. */
const inContext = (context: RequestContext | undefined, work: () => void): void =>
  context === undefined ? work() : inRequest(context, work);

/** A name with `token` would be hidden by the log. */
function createLogFields(attempt: ObservedAttempt, tokens: TokenCounts | undefined, errorType: string | undefined) {
  const { operation, served, route, outcome, report, cost, timeToFirstByteMs, providerRequestId } = attempt;
  const finishReasons = listFinishReasons(attempt);
  return {
    interaction_id: attempt.interactionId,
    attempt: attempt.attempt,
    principal: attempt.principal.id,
    operation: operation.name,
    ...(operation.format !== served.provider.kind && { translated_from: operation.format }),
    route: route.name,
    provider: served.provider.name,
    model: shorten(attempt.model),
    is_stream: attempt.isStream,
    outcome: outcome.outcome,
    status: outcome.upstream_status,
    ...(errorType !== undefined && { error_type: errorType }),
    ...(tokens && { input_usage: tokens.input, output_usage: tokens.output }),
    ...(cost !== undefined && { cost_usd: writeUsd(cost) }),
    duration_ms: outcome.duration_ms,
    ...(timeToFirstByteMs !== undefined && { first_byte_ms: Math.round(timeToFirstByteMs) }),
    ...(providerRequestId !== undefined && { provider_request_id: providerRequestId }),
    ...(report?.responseId !== undefined && { response_id: shorten(report.responseId) }),
    ...(finishReasons.length > 0 && { finish_reasons: finishReasons }),
  };
}
