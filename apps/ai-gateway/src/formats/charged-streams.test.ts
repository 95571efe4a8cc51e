import { describe, expect, it } from '@jest/globals';
import { computeCharge } from '@gatehouse/money/charge';
import { type Rates, readRates } from '@gatehouse/money/rates';
import { readUsage } from '@gatehouse/money/usage';
import { writeUsd } from '@gatehouse/money/usd';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { START_USAGE, encodeEvents, events, message } from './anthropic/message-frames.fixture.ts';
import { messages } from './anthropic/messages.ts';
import { createEstimatedUsage, estimateTokens } from './estimated-usage.ts';
import { generateContent } from './google/generate-content.ts';
import { chunks, encodeChunks, response } from './google/generation-chunks.fixture.ts';
import { streamGenerateContent } from './google/stream-generate-content.ts';
import type { JsonObject } from './model-request.ts';
import type { WireFormat } from './operation.ts';
import { chatCompletions } from './openai/chat-completions.ts';
import { encodeFrames, usageData } from './openai/chat-frames.fixture.ts';
import { BEGINNING, createEnd, createResponse } from './openai/response-frames.fixture.ts';
import { responses } from './openai/responses.ts';
import { createReceived, readResponse } from './read-response.fixture.ts';
import type { ResponseReport } from './response-reader.ts';

const RATES: Readonly<Record<WireFormat, Rates>> = {
  anthropic: readRates(
    'anthropic',
    {
      inputUsdPerMillion: '5',
      outputUsdPerMillion: '25',
      cachedInputUsdPerMillion: '0.5',
      cacheCreation5mInputUsdPerMillion: '6.25',
      cacheCreation1hInputUsdPerMillion: '10',
    },
    { anthropic: { webSearchUsdPerThousand: '10' } },
  ),
  google: readRates(
    'google',
    { inputUsdPerMillion: '2', outputUsdPerMillion: '12', cachedInputUsdPerMillion: '0.2' },
    { google: { groundingSearchUsdPerThousand: '14' } },
  ),
  openai: readRates(
    'openai',
    { inputUsdPerMillion: '2.5', outputUsdPerMillion: '15', cachedInputUsdPerMillion: '0.25' },
    { openai: { webSearchUsdPerThousand: '10', fileSearchUsdPerThousand: '2.5' } },
  ),
};
const chargeUsage = (format: WireFormat, usage: JsonObject) =>
  computeCharge(RATES[format], readUsage(format, usage) ?? {});
const charge = (format: WireFormat, usage: JsonObject) => writeUsd(chargeUsage(format, usage));

/** The usage that is charged: the reported one, else an estimate. */
const settle = (format: WireFormat, { usage, promptUsage, outputBytes }: ResponseReport): JsonObject =>
  usage ?? createEstimatedUsage(format, { promptTokens: 1_000 }, estimateTokens(outputBytes), promptUsage);

const count = fc.nat({ max: 1_000_000 });
const anthropicUsages = fc.record(
  {
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    cache_creation: fc.record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
    server_tool_use: fc.record({ web_search_requests: fc.nat({ max: 20 }) }),
  },
  { requiredKeys: ['input_tokens', 'output_tokens'] },
);
const googleUsages = fc.record(
  {
    promptTokenCount: count,
    candidatesTokenCount: count,
    cachedContentTokenCount: count,
    thoughtsTokenCount: count,
    toolUsePromptTokenCount: count,
  },
  { requiredKeys: ['promptTokenCount', 'candidatesTokenCount'] },
);
const openAiUsages = fc.record(
  {
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: fc.record({ cached_tokens: count }),
    completion_tokens_details: fc.record({ reasoning_tokens: count }),
  },
  { requiredKeys: ['prompt_tokens', 'completion_tokens'] },
);

const responseUsages = fc.record(
  {
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: fc.record({ cached_tokens: count }),
    output_tokens_details: fc.record({ reasoning_tokens: count }),
  },
  { requiredKeys: ['input_tokens', 'output_tokens'] },
);

const readMessages = (isStream: boolean, bytes: Uint8Array): ResponseReport =>
  readResponse(messages, messages.readRequest(createReceived({ model: 'm', stream: isStream })), bytes).report;
const readContent = (isStream: boolean, bytes: Uint8Array, query = 'alt=sse'): ResponseReport => {
  const operation = isStream ? streamGenerateContent : generateContent;
  const request = operation.readRequest({ ...createReceived({}, isStream ? query : ''), pathModel: 'm' });
  return readResponse(operation, request, bytes).report;
};
const readChat = (isStream: boolean, bytes: Uint8Array): ResponseReport =>
  readResponse(chatCompletions, chatCompletions.readRequest(createReceived({ model: 'm', stream: isStream })), bytes)
    .report;
const readResponses = (isStream: boolean, bytes: Uint8Array): ResponseReport =>
  readResponse(responses, responses.readRequest(createReceived({ model: 'm', stream: isStream })), bytes).report;
const encode = (body: JsonObject) => Buffer.from(JSON.stringify(body));
const property = <Usage extends JsonObject>(usages: fc.Arbitrary<Usage>, check: (usage: Usage) => void) =>
  fc.assert(fc.property(usages, check), { seed, numRuns: 100 * effort });

describe('a stream has the charge of a plain response with the same usage', () => {
  it('in the format of Anthropic', () => {
    property(anthropicUsages, (usage) => {
      const { output_tokens: _output, ...prompt } = usage;
      const started = encodeEvents([
        { type: 'message_start', message: { usage: { ...prompt, output_tokens: 1 } } },
        ...events.slice(1, -3),
        { type: 'message_delta', delta: {}, usage },
        { type: 'message_stop' },
      ]);
      const expected = charge('anthropic', usage);
      expect(charge('anthropic', settle('anthropic', readMessages(true, started)))).toBe(expected);
      expect(charge('anthropic', settle('anthropic', readMessages(false, encode({ ...message, usage }))))).toBe(
        expected,
      );
    });
  });

  it('in the format of Google, with its searches', () => {
    property(googleUsages, (usageMetadata) => {
      const list = [...chunks.slice(0, -1), { usageMetadata }];
      const plain = readContent(false, encode({ ...response, usageMetadata }));
      const expected = charge('google', { ...usageMetadata, tool_calls: { grounding_search: 2 } });
      expect(charge('google', settle('google', plain))).toBe(expected);
      for (const [form, query] of [
        ['sse', 'alt=sse'],
        ['json', ''],
      ] as const)
        expect(charge('google', settle('google', readContent(true, encodeChunks(list, form), query)))).toBe(expected);
    });
  });

  it('in the format of OpenAI', () => {
    property(openAiUsages, (usage) => {
      const last = JSON.stringify({ choices: [], usage });
      const stream = readChat(true, encodeFrames([...usageData.slice(0, -2), last, '[DONE]']));
      const plain = readChat(false, encode({ choices: [{ message: { content: 'Hello' } }], usage }));
      expect(charge('openai', settle('openai', stream))).toBe(charge('openai', usage));
      expect(charge('openai', settle('openai', plain))).toBe(charge('openai', usage));
    });
  });

  it('in the format of the Responses API, with its searches', () => {
    property(responseUsages, (usage) => {
      const text = JSON.stringify(usage);
      const stream = readResponses(true, Buffer.from([...BEGINNING, createEnd('completed', text)].join('')));
      const plain = readResponses(false, Buffer.from(createResponse('completed', text)));
      const expected = charge('openai', { ...usage, tool_calls: { web_search: 1, file_search: 1 } });
      expect(charge('openai', settle('openai', stream))).toBe(expected);
      expect(charge('openai', settle('openai', plain))).toBe(expected);
    });
  });
});

describe('cumulative usage', () => {
  it('of Anthropic is charged once, however many events repeat it', () => {
    property(
      fc.tuple(anthropicUsages, fc.nat({ max: 5 })).map(([usage, repeats]) => ({ usage, repeats })),
      (one) => {
        const deltas = Array.from({ length: one.repeats + 1 }, (_, at) => ({
          type: 'message_delta',
          delta: {},
          usage: { ...one.usage, output_tokens: Math.floor((one.usage.output_tokens * (at + 1)) / (one.repeats + 1)) },
        }));
        const report = readMessages(true, encodeEvents([events[0] as JsonObject, ...deltas, { type: 'message_stop' }]));
        expect(report.usage?.['output_tokens']).toBe(one.usage.output_tokens);
        expect(charge('anthropic', settle('anthropic', report))).toBe(
          charge('anthropic', { ...START_USAGE, ...one.usage }),
        );
      },
    );
  });

  it('of Google is charged once, however many chunks repeat it', () => {
    property(googleUsages, (usageMetadata) => {
      const chunk = { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }], usageMetadata };
      const report = readContent(true, encodeChunks([chunk, chunk, chunk], 'sse'));
      expect(charge('google', settle('google', report))).toBe(charge('google', usageMetadata));
    });
  });
});

describe('cached tokens', () => {
  it('of Anthropic have their own rates, by the lifetime of what was written', () => {
    const report = readMessages(true, encodeEvents(events));
    // 10,682 input, 9,000 read, 200 and 1,000 written, 510 output, 1 search.
    const micros = 10_682 * 5 + 9_000 * 0.5 + 200 * 6.25 + 1_000 * 10 + 510 * 25 + 10_000;
    expect(Number(charge('anthropic', settle('anthropic', report)))).toBeCloseTo(micros / 1e6, 9);
  });

  it('of Google are a part of the prompt', () => {
    const report = readContent(true, encodeChunks(chunks, 'sse'));
    // 1,300 + 60 prompt of which 1,024 are cached, 37 + 210 output, 2 searches.
    const micros = 336 * 2 + 1_024 * 0.2 + 247 * 12 + 2 * 14_000;
    expect(Number(charge('google', settle('google', report)))).toBeCloseTo(micros / 1e6, 9);
  });
});

describe('a stream that breaks', () => {
  const broken = [
    ['anthropic', events.map((_, at) => readMessages(true, encodeEvents(events.slice(0, at)))).slice(0, -3)],
    ['google', chunks.map((_, at) => readContent(true, encodeChunks(chunks.slice(0, at), 'sse')))],
    ['openai', usageData.map((_, at) => readChat(true, encodeFrames(usageData.slice(0, at)))).slice(0, -1)],
  ] as const;

  it.each(broken)('costs at least its prompt and no more than was received in the format of %s', (format, reports) => {
    for (const report of reports) {
      const settled = settle(format, report);
      const prompt = createEstimatedUsage(format, { promptTokens: 1_000 }, 0, report.promptUsage);
      const received = createEstimatedUsage(format, { promptTokens: 1_000 }, 1_000, report.usage ?? report.promptUsage);
      expect(chargeUsage(format, settled)).toBeGreaterThan(0n);
      if (report.usage === undefined)
        expect(chargeUsage(format, settled)).toBeGreaterThanOrEqual(chargeUsage(format, prompt));
      expect(chargeUsage(format, settled)).toBeLessThan(chargeUsage(format, received));
    }
  });

  it('before the first text costs its prompt alone, not the placeholder of the output', () => {
    const report = readMessages(true, encodeEvents(events.slice(0, 1)));
    const { output_tokens: _placeholder, ...prompt } = (events[0]!['message'] as { usage: JsonObject }).usage;
    expect(charge('anthropic', settle('anthropic', report))).toBe(charge('anthropic', prompt));
  });
});
