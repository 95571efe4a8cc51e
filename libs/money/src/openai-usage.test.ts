import { describe, expect, it } from '@jest/globals';
import { readUsage } from './usage.ts';

const read = (raw: Record<string, unknown>) => readUsage('openai', raw);

describe('usage of OpenAI', () => {
  it('of Chat Completions includes cached, written and audio tokens in the prompt, and reasoning and audio in the completion', () => {
    expect(
      read({
        prompt_tokens: 1_000,
        completion_tokens: 300,
        total_tokens: 1_300,
        prompt_tokens_details: { cached_tokens: 400, cache_write_tokens: 100, audio_tokens: 50 },
        completion_tokens_details: {
          reasoning_tokens: 200,
          audio_tokens: 20,
          accepted_prediction_tokens: 7,
          rejected_prediction_tokens: 9,
        },
        service_tier: 'default',
      }),
    ).toEqual({
      input: 450n,
      cache_read: 400n,
      cache_write: 100n,
      audio_input: 50n,
      output: 80n,
      reasoning: 200n,
      audio_output: 20n,
    });
  });

  it('of Responses is read with the names of that API', () => {
    expect(
      read({
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 30 },
      }),
    ).toEqual({ input: 30n, cache_read: 60n, cache_write: 10n, reasoning: 30n });
  });

  it('of Embeddings has no output', () => {
    expect(read({ prompt_tokens: 8, total_tokens: 8 })).toEqual({ input: 8n });
  });

  it('ignores a second set of names with zero or null', () => {
    const chat = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } };
    const expected = { input: 6n, cache_read: 4n, output: 5n };
    expect(read({ ...chat, input_tokens: 0, output_tokens: 0, input_tokens_details: null })).toEqual(expected);
    expect(read({ ...chat, input_tokens: null, output_tokens: null })).toEqual(expected);
    expect(read({ input_tokens: 7, output_tokens: 1, prompt_tokens: 0, completion_tokens: 0 })).toEqual({
      input: 7n,
      output: 1n,
    });
  });

  it('has the larger count of each detail when both sets of names have equal totals', () => {
    const totals = { prompt_tokens: 10, completion_tokens: 5, input_tokens: 10, output_tokens: 5 };
    const expected = { input: 6n, cache_read: 4n, output: 3n, reasoning: 2n };
    const responses = { input_tokens_details: { cached_tokens: 4 }, output_tokens_details: { reasoning_tokens: 2 } };
    const chat = { prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 2 } };
    expect(read({ ...totals, ...responses })).toEqual(expected);
    expect(read({ ...totals, ...chat })).toEqual(expected);
    expect(read({ ...totals, ...chat, ...responses })).toEqual(expected);
    expect(read({ ...totals, output_tokens: 4, ...responses })).toEqual({ input: 10n, output: 5n });
  });

  it('treats null details as absent', () => {
    expect(
      read({ prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: null, completion_tokens_details: null }),
    ).toEqual({ input: 5n, output: 1n });
  });

  it('reduces counts that contradict each other, in the order cached, written, audio', () => {
    expect(
      read({
        prompt_tokens: 100,
        completion_tokens: 10,
        prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 90, audio_tokens: 90 },
        completion_tokens_details: { reasoning_tokens: 8, audio_tokens: 8 },
      }),
    ).toEqual({ cache_read: 90n, cache_write: 10n, reasoning: 8n, audio_output: 2n });
    expect(read({ prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 5_000 } })).toEqual({ cache_read: 1n });
  });

  it('counts the tool calls that a gateway adds', () => {
    expect(read({ input_tokens: 1, tool_calls: { web_search: 2, file_search: 3 } })).toEqual({
      input: 1n,
      web_search: 2n,
      file_search: 3n,
    });
  });
});
