import { describe, expect, it } from '@jest/globals';
import { readUsage } from './usage.ts';

const read = (raw: Record<string, unknown>) => readUsage('google', raw);
const text = (tokenCount: number) => ({ modality: 'TEXT', tokenCount });
const audio = (tokenCount: number) => ({ modality: 'AUDIO', tokenCount });

describe('usage of Google', () => {
  it('counts cached content as part of the prompt, and thoughts in addition to candidates', () => {
    expect(
      read({
        promptTokenCount: 1_000,
        cachedContentTokenCount: 400,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 70,
        totalTokenCount: 1_120,
        trafficType: 'ON_DEMAND',
      }),
    ).toEqual({ input: 600n, cache_read: 400n, output: 50n, reasoning: 70n });
  });

  it('counts the tool-use prompt as prompt, also for cached content', () => {
    expect(read({ promptTokenCount: 10, toolUsePromptTokenCount: 90, cachedContentTokenCount: 95 })).toEqual({
      input: 5n,
      cache_read: 95n,
    });
  });

  it('reads audio from the modality details, cached audio first', () => {
    expect(
      read({
        promptTokenCount: 100,
        toolUsePromptTokenCount: 20,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 30,
        promptTokensDetails: [text(50), audio(50)],
        toolUsePromptTokensDetails: [audio(5), audio(5), text(10)],
        cacheTokensDetails: [audio(15), text(25)],
        candidatesTokensDetails: [text(10), audio(20)],
      }),
    ).toEqual({ input: 35n, cache_read: 25n, cached_audio: 15n, audio_input: 45n, output: 10n, audio_output: 20n });
  });

  it('reduces details that contradict the counts', () => {
    expect(
      read({
        promptTokenCount: 10,
        cachedContentTokenCount: 50,
        candidatesTokenCount: 3,
        promptTokensDetails: [audio(4)],
        cacheTokensDetails: [audio(99)],
        candidatesTokensDetails: [audio(9)],
      }),
    ).toEqual({ cached_audio: 10n, audio_output: 3n });
    expect(read({ promptTokenCount: 10, promptTokensDetails: [audio(99)] })).toEqual({ audio_input: 10n });
  });

  it('counts null details, details without a count and other modalities as text', () => {
    expect(
      read({
        promptTokenCount: 10,
        promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 4 }, { modality: 'AUDIO' }, { tokenCount: 3 }],
        cacheTokensDetails: null,
        candidatesTokensDetails: null,
      }),
    ).toEqual({ input: 10n });
  });

  it('is the last object of a stream, because counts are cumulative', () => {
    const chunks = [
      { promptTokenCount: 9, totalTokenCount: 9 },
      { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
      { promptTokenCount: 9, candidatesTokenCount: 11, thoughtsTokenCount: 6, totalTokenCount: 26 },
    ];
    expect(read(chunks.at(-1)!)).toEqual({ input: 9n, output: 11n, reasoning: 6n });
  });

  it('counts the searches that a gateway adds', () => {
    expect(read({ promptTokenCount: 1, tool_calls: { grounding_search: 3 } })).toEqual({
      input: 1n,
      grounding_search: 3n,
    });
  });
});
