import type { Metrics } from '@gatehouse/service-kit/metrics';
import { USD_DIGITS, type Usd } from '@gatehouse/money/usd';
import type { ObservedAttempt, ObservedRefusal } from '../exchange/call-observer.ts';
import { AttemptAttributeIndex, OTHER } from './attempt-attributes.ts';
import type { TokenCounts } from '../formats/token-counts.ts';

/** Bucket boundaries of the OpenTelemetry semantic conventions for GenAI. */
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power);
const DURATION_BUCKETS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const FIRST_TOKEN_BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const PER_TOKEN_BUCKETS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];

/** A reason that is a code. Others are sentences, which do not belong into a metric. */
const REASON_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const MAX_REASONS = 100;

/** The facts that metrics need beside the attempt. */
interface MeasuredAttempt {
  readonly tokens: TokenCounts | undefined;
  readonly errorType: string | undefined;
}

/** The metrics of model calls (docs/metrics.md). */
export class ModelCallMetrics {
  private readonly attributes = new AttemptAttributeIndex();
  private readonly reasons = new Set<string>();
  private readonly tokens;
  private readonly duration;
  private readonly firstToken;
  private readonly perToken;
  private readonly attempts;
  private readonly cost;
  private readonly refused;

  constructor(metrics: Metrics) {
    const histogram = (name: string, unit: string, explicitBucketBoundaries: number[], description: string) =>
      metrics.meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries } });
    this.tokens = histogram('gen_ai.client.token.usage', '{token}', TOKEN_BUCKETS, 'Tokens that providers counted');
    this.duration = histogram('gen_ai.client.operation.duration', 's', DURATION_BUCKETS, 'Duration of attempts');
    this.firstToken = histogram(
      'gen_ai.server.time_to_first_token',
      's',
      FIRST_TOKEN_BUCKETS,
      'Time until the first bytes of a delivered stream',
    );
    this.perToken = histogram(
      'gen_ai.server.time_per_output_token',
      's',
      PER_TOKEN_BUCKETS,
      'Time for each token of a delivered stream after the first one',
    );
    this.attempts = metrics.counter('gatehouse.model_calls.attempts', 'Requests to providers by outcome', '{attempt}');
    this.cost = metrics.counter('gatehouse.model_calls.cost', 'Charges of attempts', 'USD');
    this.refused = metrics.counter(
      'gatehouse.model_calls.refused',
      'Calls that no provider served, by failure and reason',
      '{call}',
    );
  }

  recordAttempt(attempt: ObservedAttempt, { tokens, errorType }: MeasuredAttempt): void {
    const attributes = this.attributes.find(attempt);
    const { outcome, cost, isStream, timeToFirstByteMs } = attempt;
    this.attempts.add(1, attributes.withOutcome(outcome.outcome));
    this.duration.record(outcome.duration_ms / 1_000, attributes.withErrorType(errorType));
    if (tokens !== undefined) {
      this.tokens.record(tokens.input, attributes.inputTokens);
      this.tokens.record(tokens.output, attributes.outputTokens);
    }
    if (cost !== undefined && cost > 0n) this.cost.add(toNumber(cost), attributes.common);
    if (!isStream || timeToFirstByteMs === undefined || errorType !== undefined) return;
    this.firstToken.record(timeToFirstByteMs / 1_000, attributes.common);
    if (tokens === undefined || tokens.output < 2) return;
    const rest = Math.max(0, outcome.duration_ms - timeToFirstByteMs) / 1_000;
    this.perToken.record(rest / (tokens.output - 1), attributes.common);
  }

  recordRefusal({ operation, error }: ObservedRefusal): void {
    this.refused.add(1, {
      ...(operation !== undefined && { 'gen_ai.operation.name': operation.telemetryName }),
      failure: error.failure,
      reason: this.limitReason(error.reason),
    });
  }

  private limitReason(reason: string | undefined): string {
    if (reason === undefined) return 'none';
    if (this.reasons.has(reason)) return reason;
    if (!REASON_CODE.test(reason) || this.reasons.size >= MAX_REASONS) return OTHER;
    this.reasons.add(reason);
    return reason;
  }
}

/** An amount as a float, for graphs only. */
const toNumber = (amount: Usd): number => Number(amount) / 10 ** USD_DIGITS;
