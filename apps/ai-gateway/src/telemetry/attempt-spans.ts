import type { ClientSpan } from '@gatehouse/service-kit/client-spans';
import type { ObservedAttempt } from '../exchange/call-observer.ts';
import { getConfiguredModel, PROVIDER_NAMES } from './attempt-attributes.ts';
import type { TokenCounts } from '../formats/token-counts.ts';

/** The longest text of a provider in a span or a log line. */
const MAX_TEXT = 128;
const MAX_FINISH_REASONS = 16;

/** Shortens a text of a provider or a caller. */
export const shorten = (text: string): string => text.slice(0, MAX_TEXT);

/** Lists why the answers of a response ended. */
export const listFinishReasons = ({ report }: ObservedAttempt): string[] =>
  report?.finishReasons.slice(0, MAX_FINISH_REASONS).map(shorten) ?? [];

/**
 * Creates the span of an attempt (OpenTelemetry semantic conventions for GenAI). It contains no
 * part of a prompt or an answer.
 */
export function createAttemptSpan(
  attempt: ObservedAttempt,
  { tokens, errorType }: { readonly tokens: TokenCounts | undefined; readonly errorType: string | undefined },
): ClientSpan {
  const { operation, route, served, report, outcome, timeToFirstByteMs } = attempt;
  const finishReasons = listFinishReasons(attempt);
  const spanModel = getConfiguredModel(route, served);
  return {
    name: spanModel === undefined ? operation.telemetryName : `${operation.telemetryName} ${spanModel}`,
    traceparent: attempt.context?.knownTraceparent,
    durationMs: outcome.duration_ms,
    hasFailed: errorType !== undefined && errorType !== 'client_disconnect',
    attributes: {
      'gen_ai.operation.name': operation.telemetryName,
      'gen_ai.provider.name': PROVIDER_NAMES[served.provider.kind],
      'gen_ai.request.model': shorten(attempt.model),
      'gatehouse.provider': served.provider.name,
      'gatehouse.route': route.name,
      'gatehouse.interaction_id': attempt.interactionId,
      'gatehouse.attempt': attempt.attempt,
      'http.response.status_code': outcome.upstream_status,
      ...(report?.model !== undefined && { 'gen_ai.response.model': shorten(report.model) }),
      ...(report?.responseId !== undefined && { 'gen_ai.response.id': shorten(report.responseId) }),
      ...(finishReasons.length > 0 && { 'gen_ai.response.finish_reasons': finishReasons }),
      ...(tokens && { 'gen_ai.usage.input_tokens': tokens.input, 'gen_ai.usage.output_tokens': tokens.output }),
      ...(timeToFirstByteMs !== undefined && { 'gatehouse.time_to_first_byte_ms': Math.round(timeToFirstByteMs) }),
      ...(errorType !== undefined && { 'error.type': errorType }),
    },
  };
}
