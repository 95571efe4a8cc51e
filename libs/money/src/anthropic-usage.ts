import type { Usage } from './buckets.ts';
import { Counts, Total } from './counts.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads `usage` of the Messages API. Cache reads and cache writes are not part of `input_tokens`.
 * Writes without a split by lifetime have the five-minute lifetime. Reasoning is part of
 * `output_tokens` and has no separate count. If the vendor compacted the conversation, these totals
 * do not include the tokens of the compaction. They are in entries of `iterations` with the type
 * `compaction` and are added.
 */
export function anthropicUsage(raw: Json): Usage | undefined {
  const counts = new Counts();
  const parts = [raw, ...counts.objects(raw, 'iterations').filter(({ type }) => type === 'compaction')].map((part) =>
    readTokens(counts, part),
  );
  const sum = (bucket: keyof Tokens) => parts.reduce((total, part) => total + part[bucket], 0n);
  const usage: Usage = {
    input: sum('input'),
    cache_read: sum('cache_read'),
    cache_write_5m: sum('cache_write_5m'),
    cache_write_1h: sum('cache_write_1h'),
    output: sum('output'),
    web_search: counts.at(raw, 'server_tool_use', 'web_search_requests'),
  };
  return counts.any ? usage : undefined;
}

type Tokens = Record<'input' | 'cache_read' | 'cache_write_5m' | 'cache_write_1h' | 'output', bigint>;

function readTokens(counts: Counts, part: Json): Tokens {
  const short = counts.at(part, 'cache_creation', 'ephemeral_5m_input_tokens');
  const long = counts.at(part, 'cache_creation', 'ephemeral_1h_input_tokens');
  const written = new Total(counts.optional(part, 'cache_creation_input_tokens') ?? short + long);
  const shortLived = written.take(short);
  const longLived = written.take(long);
  return {
    input: counts.at(part, 'input_tokens'),
    cache_read: counts.at(part, 'cache_read_input_tokens'),
    cache_write_5m: shortLived + written.rest(),
    cache_write_1h: longLived,
    output: counts.at(part, 'output_tokens'),
  };
}
