import { Counts, Total } from './counts.ts';
import type { Usage } from './usage.ts';

/**
 * `usage` of the Messages API. Cache reads and cache writes come in addition to `input_tokens`; writes without the split by lifetime are of five minutes.
 * Reasoning is inside `output_tokens` and has no count of its own.
 */
export function anthropicUsage(raw: Readonly<Record<string, unknown>>): Usage | undefined {
  const counts = new Counts();
  const short = counts.at(raw, 'cache_creation', 'ephemeral_5m_input_tokens');
  const long = counts.at(raw, 'cache_creation', 'ephemeral_1h_input_tokens');
  const written = new Total(counts.optional(raw, 'cache_creation_input_tokens') ?? short + long);
  const shortLived = written.take(short);
  const longLived = written.take(long);
  const usage: Usage = {
    input: counts.at(raw, 'input_tokens'),
    cache_read: counts.at(raw, 'cache_read_input_tokens'),
    cache_write_5m: shortLived + written.rest(),
    cache_write_1h: longLived,
    output: counts.at(raw, 'output_tokens'),
    web_search: counts.at(raw, 'server_tool_use', 'web_search_requests'),
  };
  return counts.any ? usage : undefined;
}
