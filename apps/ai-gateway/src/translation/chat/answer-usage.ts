import { readUsage } from '@gatehouse/money/usage';
import type { JsonObject } from '../../formats/model-request.ts';
import type { WireFormat } from '../../formats/operation.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';

/** The tokens of an answer, as the provider has counted them. */
export interface AnswerUsage {
  /** All of the prompt, cached or not. */
  readonly input: number;
  /** The part of the prompt that was read from a cache. */
  readonly cached: number;
  /** The part of the prompt that was written to a cache. */
  readonly written: number;
  /** All of the output. */
  readonly output: number;
  /** The part of the output that is reasoning. */
  readonly reasoning: number;
}

/**
 * Reads a usage object in the format of the provider. It is the one that is charged.
 * @param raw that libs/money can read
 */
export function readAnswerUsage(format: WireFormat, raw: JsonObject | undefined): AnswerUsage | undefined {
  const usage = raw && readUsage(format, raw);
  if (usage === undefined) return undefined;
  const sum = (...counts: (bigint | undefined)[]) =>
    Number(counts.reduce<bigint>((total, count) => total + (count ?? 0n), 0n));
  const cached = sum(usage.cache_read, usage.cached_audio);
  const written = sum(usage.cache_write, usage.cache_write_5m, usage.cache_write_1h);
  // Anthropic counts thoughts within the output, for which prices have no part of their own.
  const thoughts = format === 'anthropic' ? countThoughts(raw?.['output_tokens_details']) : 0;
  const reasoning = sum(usage.reasoning);
  return {
    input: sum(usage.input, usage.audio_input) + cached + written,
    cached,
    written,
    output: sum(usage.output, usage.audio_output) + reasoning,
    reasoning: reasoning + thoughts,
  };
}

function countThoughts(details: unknown): number {
  const count = isJsonObject(details) ? details['thinking_tokens'] : undefined;
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0;
}
