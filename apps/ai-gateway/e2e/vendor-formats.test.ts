import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { computeCharge } from '@gatehouse/money/charge';
import { readRates } from '@gatehouse/money/rates';
import { readUsage } from '@gatehouse/money/usage';
import { type ModelVendors, VENDOR_KEYS, startModelVendors } from '@gatehouse/testing/model-vendors';
import { randomUUID } from 'node:crypto';
import { countMessageTokens } from '../src/formats/anthropic/count-tokens.ts';
import { messages } from '../src/formats/anthropic/messages.ts';
import { countContentTokens } from '../src/formats/google/count-tokens.ts';
import { batchEmbedContents, embedContent } from '../src/formats/google/embed-content.ts';
import { generateContent } from '../src/formats/google/generate-content.ts';
import { streamGenerateContent } from '../src/formats/google/stream-generate-content.ts';
import type { JsonObject } from '../src/formats/model-request.ts';
import type { ModelOperation } from '../src/formats/operation.ts';

let vendors: ModelVendors;
beforeAll(async () => {
  vendors = await startModelVendors();
});
afterAll(() => vendors.close());

const PREFIXES = { openai: '/v1', anthropic: '/v1', google: '/v1beta' } as const;
const HEADERS = {
  openai: {},
  anthropic: { 'x-api-key': VENDOR_KEYS.anthropic, 'anthropic-version': '2023-06-01' },
  google: { 'x-goog-api-key': VENDOR_KEYS.google },
} as const;

/** Sends a request of a client that calls the model `alias`, as the gateway does. */
async function exchange(operation: ModelOperation, model: string, body: JsonObject, query = '') {
  const bytes = Buffer.from(JSON.stringify(body));
  const received = { bytes, body, pathModel: 'alias', query: new URLSearchParams(query) };
  const request = operation.readRequest(received);
  const name = randomUUID();
  const path = `${PREFIXES[operation.format]}${operation.createPath(request, model)}`;
  const response = await fetch(`${vendors.urls[operation.format]}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sim-name': name, ...HEADERS[operation.format] },
    body: Buffer.from(operation.createBody(request, model)),
  });
  expect(response.status).toBe(200);
  const reader = operation.createReader(request, response.headers.get('content-type') ?? undefined);
  const [sent, passed]: [Uint8Array[], Uint8Array[]] = [[], []];
  for await (const chunk of response.body ?? []) {
    sent.push(chunk);
    passed.push(reader.push(chunk) ?? new Uint8Array());
  }
  passed.push(reader.end() ?? new Uint8Array());
  expect(Buffer.concat(passed).equals(Buffer.concat(sent))).toBe(true);
  const record = (await vendors.readLog()).find((one) => one.name === name);
  return { report: reader.report, usage: record?.usage as JsonObject, sentUsage: record?.sentUsage as JsonObject };
}

const RATES = {
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
    {
      inputUsdPerMillion: '2',
      outputUsdPerMillion: '12',
      cachedInputUsdPerMillion: '0.2',
      audioInputUsdPerMillion: '3',
      thoughtsOutputUsdPerMillion: '13',
    },
    { google: { groundingSearchUsdPerThousand: '14' } },
  ),
};
const charge = (format: 'anthropic' | 'google', usage: JsonObject | undefined) =>
  computeCharge(RATES[format], readUsage(format, usage ?? {}) ?? {});

const DIRECTIVES = [
  '',
  'chunks=50 input=100 output=60',
  'crlf=1',
  'comments=1 split=3',
  'split=1 chunks=3',
  'huge=1100000',
  'tool=get_weather',
  'input=5000 cached=3000 output=900 reasoning=400',
  'web_search=2',
  'usage=none',
];

describe('a message through the reader', () => {
  const create = (directives: string, stream: boolean) => ({
    model: 'alias',
    max_tokens: 1_000,
    stream,
    tools: [
      { name: 'get_weather', input_schema: { type: 'object' } },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
    messages: [{ role: 'user', content: `Grüße, "usage": {"output_tokens": 1} 🙂 [[sim: ${directives}]]` }],
  });

  it.each([...DIRECTIVES, 'input=5000 cache_write=2000 cache_write_1h=1500'])(
    'has bytes and charge of the provider: %s',
    async (directives) => {
      for (const stream of [true, false]) {
        const { report, usage } = await exchange(messages, 'claude-opus-5-5', create(directives, stream));
        expect(report.isComplete).toBe(true);
        if (directives === 'usage=none') expect(report.usage).toBeUndefined();
        else expect(charge('anthropic', report.usage)).toBe(charge('anthropic', usage));
      }
    },
  );

  it('has only the prompt after a cut, and counts its text', async () => {
    const { report, usage } = await exchange(
      messages,
      'claude-opus-5-5',
      create('chunks=20 input=50 fault=truncate:8', true),
    );
    expect(report).toMatchObject({ isComplete: false, promptUsage: { input_tokens: 50 } });
    expect(report.usage).toBeUndefined();
    expect(report.outputBytes).toBeGreaterThan(5);
    expect(charge('anthropic', report.promptUsage)).toBeLessThan(charge('anthropic', usage));
  });

  it('has the error that the provider sends in the stream', async () => {
    const { report } = await exchange(messages, 'claude-opus-5-5', create('chunks=20 fault=error_event:5', true));
    expect(report).toMatchObject({ isComplete: false, failure: 'overloaded_error' });
  });

  it('costs nothing to count', async () => {
    const { max_tokens: _limit, stream: _stream, ...body } = create('', false);
    const { report } = await exchange(countMessageTokens, 'claude-opus-5-5', body);
    expect(report.usage).toBeUndefined();
  });
});

describe('a content through the reader', () => {
  const create = (directives: string) => ({
    contents: [{ role: 'user', parts: [{ text: `Grüße, "usageMetadata": {} 🙂 }] [[sim: ${directives}]]` }] }],
    generation_config: { max_output_tokens: 1_000 },
    tools: [{ functionDeclarations: [{ name: 'get_weather' }] }, { googleSearch: {} }],
  });
  const forms = [
    [generateContent, ''],
    [streamGenerateContent, 'alt=sse'],
    [streamGenerateContent, ''],
  ] as const;

  it.each([...DIRECTIVES, 'usage=finish', 'usage=separate', 'input=90 audio_in=30 tool_prompt=7'])(
    'has bytes and charge of the provider: %s',
    async (directives) => {
      for (const [operation, query] of forms) {
        const { report, usage } = await exchange(operation, 'gemini-3.8-flash', create(directives), query);
        const searches = directives === 'web_search=2' ? { tool_calls: { grounding_search: 2 } } : {};
        expect(report.isComplete).toBe(true);
        if (directives === 'usage=none') expect(report.usage).toBeUndefined();
        else expect(charge('google', report.usage)).toBe(charge('google', { ...usage, ...searches }));
      }
    },
  );

  it('has the usage that was sent before a cut', async () => {
    const body = create('chunks=20 input=50 fault=truncate:8');
    const { report, sentUsage } = await exchange(streamGenerateContent, 'gemini-3.8-flash', body, 'alt=sse');
    expect(report.usage).toEqual(sentUsage);
    expect(report.finishReasons).toEqual([]);
  });

  it('has the error that the provider sends in the stream', async () => {
    const body = create('chunks=20 fault=error_event:5');
    for (const query of ['alt=sse', '']) {
      const { report } = await exchange(streamGenerateContent, 'gemini-3.8-flash', body, query);
      expect(report).toMatchObject({ isComplete: false, failure: 'UNAVAILABLE' });
    }
  });

  it('costs nothing to count', async () => {
    const request = { generateContentRequest: { model: 'models/alias', contents: create('').contents } };
    for (const body of [request, { contents: create('').contents }]) {
      const { report } = await exchange(countContentTokens, 'gemini-3.8-flash', body);
      expect(report.usage).toBeUndefined();
    }
  });

  it('is embedded with the usage of the provider, or without one', async () => {
    for (const [operation, body] of [
      [embedContent, { model: 'models/alias', content: { parts: [{ text: 'Hello' }] } }],
      [batchEmbedContents, { requests: [{ model: 'models/alias', content: { parts: [{ text: 'Hello' }] } }] }],
    ] as const) {
      const { report, usage } = await exchange(operation, 'gemini-embedding-001', body);
      expect(report).toMatchObject({ usage, outputBytes: 0, isComplete: true });
    }
  });
});
