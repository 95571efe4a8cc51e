import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import { createReceived, readResponse } from '../read-response.fixture.ts';
import { generateContent } from './generate-content.ts';
import { USAGE, USAGE_METADATA, chunks, encodeChunks, response } from './generation-chunks.fixture.ts';
import { streamGenerateContent } from './stream-generate-content.ts';

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const receive = (body: unknown, { query = '', model = 'gemini-x' } = {}) => ({
  ...createReceived(body, query),
  pathModel: model,
});
const events = streamGenerateContent.readRequest(receive({ contents }, { query: 'alt=sse' }));
const array = streamGenerateContent.readRequest(receive({ contents }));
const plain = generateContent.readRequest(receive({ contents }));
const readLimit = (config: unknown) =>
  generateContent.readRequest(receive({ generationConfig: config })).estimate.maxOutputTokens;
const readEvents = (...list: JsonObject[]) =>
  readResponse(streamGenerateContent, events, encodeChunks(list, 'sse')).report;
const sizesOf = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 });

function catchError(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

describe('readRequest of generateContent', () => {
  it('reads the model of the path and the estimate', () => {
    expect(plain).toMatchObject({ model: 'gemini-x', isStream: false });
    expect(plain.estimate.promptTokens).toBeGreaterThan(10);
    expect(plain.estimate.maxOutputTokens).toBeUndefined();
    expect(events).toMatchObject({ model: 'gemini-x', isStream: true });
    expect(generateContent.readRequest(receive({}, { model: 'models/gemini-x' })).model).toBe('gemini-x');
  });

  it('reads limits of tokens in all notations of the vendor, for all candidates', () => {
    expect(readLimit({ maxOutputTokens: 100 })).toBe(100);
    expect(readLimit({ max_output_tokens: '100', candidate_count: 3 })).toBe(300);
    expect(readLimit({ candidateCount: 2 })).toBe(2 * 8_192);
    expect(readLimit({ maxOutputTokens: 1e300 })).toBe(1_000_000_000);
    const body = { generation_config: { maxOutputTokens: 7 } };
    expect(generateContent.readRequest(receive(body)).estimate.maxOutputTokens).toBe(7);
  });

  it.each([
    [null],
    ['text'],
    [[]],
    [{ maxOutputTokens: 'many' }],
    [{ maxOutputTokens: -1 }],
    [{ maxOutputTokens: 1.5 }],
  ])('leaves the limit %j to the provider', (config) => {
    expect(readLimit(config)).toBeUndefined();
  });

  it('refuses forms of responses that it cannot read, and a path without a model', () => {
    for (const query of ['alt=proto', '$alt=media'])
      expect(catchError(() => generateContent.readRequest(receive({ contents }, { query })))).toMatchObject({
        failure: 'invalid_request',
        field: 'alt',
      });
    for (const model of [undefined, '', 'models/'])
      expect(catchError(() => generateContent.readRequest({ ...receive({}), pathModel: model }))).toMatchObject({
        failure: 'invalid_request',
        field: 'model',
      });
    const marked = { ...receive({}), bytes: Buffer.from('\uFEFF{}') };
    expect(catchError(() => generateContent.readRequest(marked))).toBeInstanceOf(ModelCallError);
  });
});

describe('a request of generateContent to the provider', () => {
  it('names the model in its path', () => {
    expect(generateContent.createPath(plain, 'gemini-x')).toBe('/models/gemini-x:generateContent');
    expect(generateContent.createPath(plain, 'models/gemini-x')).toBe('/models/gemini-x:generateContent');
    expect(generateContent.createPath(plain, '../a b?')).toBe('/models/..%2Fa%20b%3F:generateContent');
    expect(streamGenerateContent.createPath(events, 'g')).toBe('/models/g:streamGenerateContent?alt=sse');
    expect(streamGenerateContent.createPath(array, 'g')).toBe('/models/g:streamGenerateContent');
  });

  it('asks for events in streams only', () => {
    const request = generateContent.readRequest(receive({ contents }, { query: 'alt=sse' }));
    expect(generateContent.createPath(request, 'g')).toBe('/models/g:generateContent');
  });

  it('has no parameter that removes the usage from the response', () => {
    const query = '$alt=SSE&fields=candidates&$fields=candidates&callback=f&prettyPrint=false';
    const request = streamGenerateContent.readRequest(receive({ contents }, { query }));
    expect(streamGenerateContent.createPath(request, 'g')).toBe('/models/g:streamGenerateContent?alt=sse');
  });

  it('has the bytes of the client', () => {
    expect(generateContent.createBody(plain, 'other')).toBe(plain.received.bytes);
  });
});

describe.each([
  ['with events', events, 'sse'],
  ['as an array', array, 'json'],
] as const)('a stream %s', (_name, request, form) => {
  it('passes unchanged and reports the last usage, for all chunks and line ends', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), sizesOf, (lineEnd, sizes) => {
        const bytes = encodeChunks(chunks, form, lineEnd);
        const { text, report } = readResponse(streamGenerateContent, request, bytes, sizes);
        expect(text).toBe(bytes.toString());
        expect(report).toMatchObject({
          usage: USAGE,
          promptUsage: undefined,
          isComplete: true,
          finishReasons: ['STOP'],
          model: 'gemini-3.5-flash',
          responseId: 'nJk4aZ-HLsyT1PIP5d2kqAk',
        });
        expect(report.failure).toBeUndefined();
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('passes at once', () => {
    const reader = streamGenerateContent.createReader(request);
    for (const byte of encodeChunks(chunks, form)) {
      const chunk = Buffer.of(byte);
      expect(reader.push(chunk)).toBe(chunk);
    }
    expect(reader.report.isComplete).toBe(false);
  });

  it('never fails on chunks of another form', () => {
    const member = fc.constantFrom('candidates', 'usageMetadata', 'promptFeedback', 'error', 'responseId');
    fc.assert(
      fc.property(fc.array(fc.dictionary(member, fc.jsonValue())), sizesOf, (list, sizes) => {
        const bytes = encodeChunks(list, form);
        expect(readResponse(streamGenerateContent, request, bytes, sizes).text).toBe(bytes.toString());
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('never fails on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), sizesOf, (bytes, sizes) => {
        const { text } = readResponse(streamGenerateContent, request, bytes, sizes);
        expect(text).toBe(Buffer.from(bytes).toString());
      }),
      { seed, numRuns: 200 * effort },
    );
  });
});

describe('the report of a stream', () => {
  it('has only the prompt while counts of the output are missing', () => {
    const report = readEvents(chunks[0]!);
    expect(report).toMatchObject({
      promptUsage: { promptTokenCount: 1_300, totalTokenCount: 1_300 },
      outputBytes: 16,
    });
    expect(report.usage).toBeUndefined();
  });

  it('has the usage of a blocked prompt, which has no candidates', () => {
    const usage = { promptTokenCount: 9, totalTokenCount: 9 };
    const report = readEvents({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: usage });
    expect(report).toMatchObject({ usage, finishReasons: ['PROHIBITED_CONTENT'], isComplete: true });
  });

  it('counts text, thoughts, calls and code by their bytes, and images by a constant', () => {
    const parts = [
      { text: 'é' },
      { text: 'why', thought: true },
      { functionCall: { name: 'f', args: {} } },
      { executableCode: { language: 'PYTHON', code: '1' } },
      { inlineData: { mimeType: 'image/png', data: 'A'.repeat(9_000) } },
      { thoughtSignature: 'AAAA' },
      'odd',
    ];
    expect(readEvents({ candidates: [{ content: { parts } }] }).outputBytes).toBe(2 + 3 + 22 + 32 + 4_128);
  });

  it('has the status of an error, and not its message', () => {
    const report = readEvents(chunks[0]!, { error: { code: 503, status: 'UNAVAILABLE', message: 'overloaded' } });
    expect(report).toMatchObject({ failure: 'UNAVAILABLE', isComplete: false });
  });

  it('has no usage that cannot be charged', () => {
    const report = readEvents({ usageMetadata: { promptTokenCount: -1, candidatesTokenCount: 1 } });
    expect(report.usage).toBeUndefined();
    expect(report.promptUsage).toBeUndefined();
  });

  it('is not complete without a chunk, or before the end of the array', () => {
    expect(readResponse(streamGenerateContent, events, Buffer.from('<html>')).report.isComplete).toBe(false);
    const cut = encodeChunks(chunks, 'json').subarray(0, -1);
    expect(readResponse(streamGenerateContent, array, cut).report).toMatchObject({ isComplete: false, usage: USAGE });
  });
});

describe('a plain response', () => {
  it('passes unchanged and reports its usage', () => {
    const bytes = Buffer.from(JSON.stringify(response, undefined, 2));
    const { text, report } = readResponse(generateContent, plain, bytes, [7]);
    expect(text).toBe(bytes.toString());
    expect(report).toMatchObject({ usage: USAGE, isComplete: true, finishReasons: ['STOP'], outputBytes: 7 });
  });

  it('reports the usage of a very long response', () => {
    const candidates = [{ content: { parts: [{ inlineData: { data: 'A'.repeat(600_000) } }] }, finishReason: 'STOP' }];
    const bytes = Buffer.from(JSON.stringify({ ...response, candidates }, undefined, 2));
    const { report } = readResponse(generateContent, plain, bytes, [4_096]);
    expect(report).toMatchObject({ usage: USAGE_METADATA, isComplete: true, model: 'gemini-3.5-flash' });
  });
});
