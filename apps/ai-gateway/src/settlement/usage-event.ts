import type { UsageIntent, UsageOutcome } from './usage-recorder.ts';

/** The key of an attempt, by which the enterprise manager charges it once. */
export type AttemptKey = Pick<UsageIntent, 'interaction_id' | 'attempt'>;

/** The report of one attempt, as the outbox keeps it. */
export interface UsageEvent extends AttemptKey {
  /** The report as JSON (spec 7, `POST /webhooks/budgets/usage`). A repetition has equal bytes. */
  readonly report: string;
}

const MAX_DURATION_MS = 2_147_483_647;

/** Creates the report of a finished attempt. */
export function createUsageEvent(gatewayId: string, intent: UsageIntent, outcome: UsageOutcome): UsageEvent {
  const { estimated_usage: _, ...facts } = intent;
  const duration_ms = Math.min(Math.max(0, Math.round(outcome.duration_ms)), MAX_DURATION_MS);
  const { interaction_id, attempt } = intent;
  const report = JSON.stringify({ ...facts, gateway_id: gatewayId, ...outcome, duration_ms });
  return { interaction_id, attempt, report };
}

/**
 * Creates the report of an orphan: an attempt whose process was killed, so that its end is unknown.
 * The provider saw a closed connection, as if the client had left. So the outcome is
 * `client_disconnect`, without a status of the provider, and the estimate is charged.
 */
export const createOrphanEvent = (gatewayId: string, intent: UsageIntent): UsageEvent =>
  createUsageEvent(gatewayId, intent, {
    outcome: 'client_disconnect',
    upstream_status: 0,
    duration_ms: 0,
    raw_usage: null,
    estimated_usage: intent.estimated_usage,
  });
