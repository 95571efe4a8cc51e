import { describe, expect, it } from '@jest/globals';
import { readUsage } from './usage.ts';

const read = (raw: Record<string, unknown>) => readUsage('anthropic', raw);

describe('usage of Anthropic', () => {
  it('counts cache reads and writes in addition to the input, writes by their lifetime', () => {
    expect(
      read({
        input_tokens: 10,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 70,
        cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
        output_tokens: 50,
        server_tool_use: { web_search_requests: 2, web_fetch_requests: 9 },
        service_tier: 'standard',
        inference_geo: 'us',
      }),
    ).toEqual({
      input: 10n,
      cache_read: 20n,
      cache_write_5m: 30n,
      cache_write_1h: 40n,
      output: 50n,
      web_search: 2n,
    });
  });

  it('counts writes outside the split as writes of five minutes', () => {
    expect(read({ cache_creation_input_tokens: 70 })).toEqual({ cache_write_5m: 70n });
    expect(read({ cache_creation_input_tokens: 70, cache_creation: null })).toEqual({ cache_write_5m: 70n });
    expect(read({ cache_creation_input_tokens: 70, cache_creation: { ephemeral_1h_input_tokens: 40 } })).toEqual({
      cache_write_5m: 30n,
      cache_write_1h: 40n,
    });
  });

  it('counts a split without a total', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 };
    expect(read({ cache_creation })).toEqual({ cache_write_5m: 3n, cache_write_1h: 4n });
  });

  it('reduces a split that exceeds its total', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 60 };
    expect(read({ cache_creation_input_tokens: 100, cache_creation })).toEqual({
      cache_write_5m: 60n,
      cache_write_1h: 40n,
    });
  });

  it('is the last object of a stream, because counts are cumulative', () => {
    const start = {
      input_tokens: 25,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
    };
    const deltas = [{ output_tokens: 40 }, { output_tokens: 95, server_tool_use: { web_search_requests: 1 } }];
    const last = deltas.reduce<Record<string, unknown>>((kept, delta) => ({ ...kept, ...delta }), start);
    expect(read(last)).toEqual({ input: 25n, cache_read: 10n, output: 95n, web_search: 1n });
  });

  it('adds the tokens of a compaction, which the totals omit, once', () => {
    expect(
      read({
        input_tokens: 23_000,
        output_tokens: 1_000,
        iterations: [
          { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500, cache_read_input_tokens: 5 },
          { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
        ],
      }),
    ).toEqual({ input: 203_000n, output: 4_500n, cache_read: 5n });
    expect(read({ input_tokens: 1, iterations: null })).toEqual({ input: 1n });
  });
});
