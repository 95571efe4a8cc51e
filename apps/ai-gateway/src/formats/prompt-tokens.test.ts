import { describe, expect, it } from '@jest/globals';
import { estimatePromptTokens as estimateAnthropic } from './anthropic/prompt-tokens.ts';
import { estimatePromptTokens as estimateGoogle } from './google/prompt-tokens.ts';
import type { JsonObject, ReceivedRequest } from './model-request.ts';

const receive = (body: JsonObject): ReceivedRequest => ({
  bytes: Buffer.from(JSON.stringify(body)),
  body,
  query: new URLSearchParams(),
});

const FILE = 'A'.repeat(320_000);
/** Tokens of the JSON around the files of a request. */
const AROUND = 200;

describe('the estimate of a prompt for Anthropic', () => {
  const estimate = (...content: JsonObject[]) => estimateAnthropic(receive({ messages: [{ role: 'user', content }] }));
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: FILE } };

  it('counts text by its bytes', () => {
    expect(estimate({ type: 'text', text: FILE })).toBeGreaterThan(100_000);
    expect(estimate({ type: 'text', text: FILE })).toBeLessThan(100_000 + AROUND);
  });

  it('counts an image by the largest published size, wherever it is', () => {
    for (const block of [
      image,
      { type: 'tool_result', tool_use_id: 't', content: [image] },
      { type: 'document', source: { type: 'content', content: [image] } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ]) {
      expect(estimate(block)).toBeGreaterThan(4_784);
      expect(estimate(block)).toBeLessThan(4_784 + AROUND);
    }
  });

  it('counts a document by its bytes', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: FILE };
    expect(estimate({ type: 'document', source })).toBeGreaterThan(100_000);
  });

  it('does not exceed the largest context window', () => {
    expect(estimate({ type: 'text', text: FILE.repeat(20) })).toBe(1_000_000);
  });
});

describe('the estimate of a prompt for Google', () => {
  const estimate = (...parts: JsonObject[]) => estimateGoogle(receive({ contents: [{ role: 'user', parts }] }));

  it.each([
    ['image/png', 4_128],
    ['audio/wav', 8_000],
    ['video/mp4', 4_000],
    ['application/pdf', 100_000],
  ])('counts a file of %s as %d tokens', (mimeType, tokens) => {
    const parts = [
      { inlineData: { mimeType, data: FILE } },
      { inline_data: { mime_type: mimeType, data: FILE } },
      { functionResponse: { name: 'f', response: {}, parts: [{ inlineData: { mimeType, data: FILE } }] } },
    ];
    for (const part of parts) {
      expect(estimate(part)).toBeGreaterThan(tokens);
      expect(estimate(part)).toBeLessThan(tokens + AROUND);
    }
  });

  it('counts the files of system instructions and of embeddings', () => {
    const content = { parts: [{ inlineData: { mimeType: 'image/png', data: FILE } }] };
    for (const body of [
      { system_instruction: content },
      { systemInstruction: content },
      { content },
      { requests: [{ content }] },
    ])
      expect(estimateGoogle(receive(body))).toBeLessThan(4_128 + AROUND);
  });

  it('does not exceed the largest context window', () => {
    expect(estimate({ text: FILE.repeat(30) })).toBe(2_097_152);
  });
});
