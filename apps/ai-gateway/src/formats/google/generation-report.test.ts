import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../model-request.ts';
import { GenerationReport } from './generation-report.ts';

function take(...chunks: JsonObject[]): GenerationReport {
  const report = new GenerationReport();
  for (const chunk of chunks) report.takeChunk(chunk);
  return report;
}

const candidate = (text: string, more: JsonObject = {}): JsonObject => ({
  content: { role: 'model', parts: [{ text }] },
  index: 0,
  ...more,
});

describe('GenerationReport', () => {
  it('keeps the last usage, which is cumulative', () => {
    const report = take(
      { candidates: [candidate('a')], usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 } },
      { candidates: [candidate('b')], usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 } },
      { candidates: [candidate('', { finishReason: 'STOP' })], modelVersion: 'gemini-x', responseId: 'r1' },
      { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 7 } },
    );
    expect(report).toMatchObject({
      usage: { promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 7 },
      promptUsage: undefined,
      outputBytes: 2,
      finishReasons: ['STOP'],
      model: 'gemini-x',
      responseId: 'r1',
    });
  });

  it('is complete at the end only, because usage can follow the reason to finish', () => {
    const report = take({
      candidates: [candidate('a', { finishReason: 'STOP' })],
      usageMetadata: { promptTokenCount: 5 },
    });
    expect(report.isComplete).toBe(false);
    report.end();
    expect(report.isComplete).toBe(true);
  });

  it('reports only the prompt while counts of the output are missing', () => {
    const report = take({
      candidates: [candidate('Hello')],
      usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 },
    });
    expect(report).toMatchObject({
      usage: undefined,
      promptUsage: { promptTokenCount: 5, totalTokenCount: 5 },
      outputBytes: 5,
    });
    report.end();
    expect(report.usage).toBeUndefined();
  });

  it('reports the usage of a blocked prompt, which has no candidates', () => {
    const report = take({
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    });
    report.end();
    expect(report).toMatchObject({
      usage: { promptTokenCount: 9, totalTokenCount: 9 },
      finishReasons: ['PROHIBITED_CONTENT'],
      isComplete: true,
    });
  });

  it('counts each different search of grounding once', () => {
    const groundingMetadata = { webSearchQueries: ['weather', 'news', ''] };
    const report = take(
      { candidates: [candidate('a', { groundingMetadata })] },
      {
        candidates: [candidate('b', { groundingMetadata, finishReason: 'STOP' })],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3 },
      },
    );
    expect(report.usage).toEqual({
      promptTokenCount: 5,
      candidatesTokenCount: 3,
      tool_calls: { grounding_search: 2 },
    });
  });

  it('counts the bytes of text, thoughts, calls and code, and images by a constant', () => {
    const parts = [
      { text: 'é' },
      { text: 'why', thought: true },
      { functionCall: { name: 'f', args: {} } },
      { executableCode: { language: 'PYTHON', code: '1' } },
      { inlineData: { mimeType: 'image/png', data: 'A'.repeat(9_000) } },
      { thoughtSignature: 'AAAA' },
      'odd',
    ];
    expect(take({ candidates: [{ content: { parts } }] }).outputBytes).toBe(2 + 3 + 22 + 32 + 4_128);
  });

  it('keeps the status of an error in the stream, and not its message', () => {
    const report = take({ error: { code: 503, status: 'UNAVAILABLE', message: 'overloaded' } });
    report.end();
    expect(report).toMatchObject({ failure: 'UNAVAILABLE', isComplete: false });
  });

  it('ignores chunks of another form, and usage that cannot be charged', () => {
    const odd: JsonObject[] = [
      {},
      { candidates: 'none', usageMetadata: [] },
      { candidates: [null, { content: { parts: {} }, finishReason: 5, groundingMetadata: { webSearchQueries: 1 } }] },
      { usageMetadata: { promptTokenCount: -1, candidatesTokenCount: 1 } },
    ];
    expect(take(...odd)).toMatchObject({ usage: undefined, promptUsage: undefined, outputBytes: 0 });
  });
});
