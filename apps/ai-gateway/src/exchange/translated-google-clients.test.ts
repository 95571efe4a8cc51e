import { createPartFromFunctionResponse, GoogleGenAI, type GenerateContentParameters } from '@google/genai';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { PIXEL, SCHEMA } from '../translation/features.fixture.ts';
import { CREDENTIAL } from './call-world.fixture.ts';
import { TranslatedWorld } from './translated-world.fixture.ts';

const tools = [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: SCHEMA }] }];
const ask = (contents: GenerateContentParameters['contents'], config: GenerateContentParameters['config'] = {}) => ({
  model: 'm',
  contents,
  config,
});

describe.each(['openai', 'anthropic'] as const)('the npm package @google/genai with a provider of %s', (kind) => {
  let target: TranslatedWorld;
  let client: GoogleGenAI;
  beforeEach(async () => {
    target = await TranslatedWorld.open(kind);
    client = new GoogleGenAI({ apiKey: CREDENTIAL, httpOptions: { baseUrl: target.world.url } });
  });
  afterEach(() => target.close());

  it('has an answer, its end and its usage', async () => {
    const answer = await client.models.generateContent(
      ask('hello [[sim: input=100 cached=40 reasoning=3]]', { systemInstruction: 'Be brief.' }),
    );
    expect([answer.text, answer.candidates?.[0]?.finishReason]).toEqual(['You said: hello. 1 2 3', 'STOP']);
    expect(answer.usageMetadata).toMatchObject({
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 3,
      totalTokenCount: 107,
    });
    await target.expectExactUsage();
  });

  it('streams text with its usage', async () => {
    const stream = await client.models.generateContentStream(
      ask('héllo 世界 🙂 [[sim: chunks=20 split=3 comments=1]]'),
    );
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ text }) => text ?? '').join('')).toBe(
      `You said: héllo 世界 🙂. ${Array.from({ length: 19 }, (_, at) => at + 1).join(' ')}`,
    );
    expect(chunks.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { candidatesTokenCount: 20 },
    });
    await target.expectExactUsage();
  });

  it('streams a JSON array without alt=sse', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] };
    const response = await target.world.post(body, { path: '/v1beta/models/m:streamGenerateContent' });
    const items = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
    expect(items.map(({ candidates }) => candidates[0]?.content.parts[0]?.text).join('')).toBe(
      'You said: hello. 1 2 3',
    );
  });

  it.each(['plain', 'stream'])('calls a tool, and answers with its result: %s', async (form) => {
    const create = async (parameters: GenerateContentParameters) => {
      if (form === 'plain')
        return (await client.models.generateContent(parameters)).candidates?.[0]?.content?.parts ?? [];
      const parts = [];
      for await (const chunk of await client.models.generateContentStream(parameters))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      return parts;
    };
    const question = { role: 'user', parts: [{ text: 'Ask get_weather for city=Paris' }] };
    const parts = await create(ask([question], { tools }));
    const call = parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall;
    expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Paris' } });
    const result = createPartFromFunctionResponse(call?.id ?? '', 'get_weather', { output: 'sun in Paris' });
    const answered = await create(
      ask([question, { role: 'model', parts }, { role: 'user', parts: [result] }], { tools }),
    );
    expect(answered.map(({ text }) => text ?? '').join('')).toBe('The tool said: sun in Paris. 1 2 3');
    await target.expectExactUsage();
  });

  it('sees an image, and answers by a JSON schema', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: PIXEL } };
    const seen = await client.models.generateContent(ask([{ role: 'user', parts: [image, { text: 'Look' }] }]));
    expect(seen.text).toBe('You said with 1 image(s): Look. 1 2 3');
    const config = { responseMimeType: 'application/json', responseJsonSchema: SCHEMA };
    expect((await client.models.generateContent(ask('Json', config))).text).toBe('{"answer":"Json"}');
  });

  it('ends at the limit of tokens', async () => {
    const answer = await client.models.generateContent(ask('a', { maxOutputTokens: 2 }));
    expect([answer.text, answer.candidates?.[0]?.finishReason]).toEqual(['You said: a. 1', 'MAX_TOKENS']);
  });

  it('sees the errors of the provider in its own form', async () => {
    await expect(client.models.generateContent(ask('a [[sim: fault=status:429]]'))).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('RESOURCE_EXHAUSTED'),
    });
    await expect(client.models.generateContent(ask('a [[sim: fault=status:400]]'))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('INVALID_ARGUMENT'),
    });
  });

  it.each(['error_event:4', 'truncate:4', 'reset_after:4'])('sees a stream that ends early: %s', async (fault) => {
    const read = async () => {
      const stream = await client.models.generateContentStream(ask(`a [[sim: fault=${fault}]]`));
      for await (const chunk of stream) expect(chunk.modelVersion).toEqual(expect.any(String));
    };
    await expect(read()).rejects.toThrow();
  });

  it('names the field that cannot be translated', async () => {
    await expect(client.models.generateContent(ask('a', { tools: [{ googleSearch: {} }] }))).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('tools.0.googleSearch'),
    });
    expect(await target.vendors.readLog()).toEqual([]);
  });

  it('is charged exactly when it leaves', async () => {
    const abort = new AbortController();
    const stream = await client.models.generateContentStream(
      ask('a [[sim: delay_ms=5 chunks=100]]', { abortSignal: abort.signal }),
    );
    await stream.next();
    abort.abort();
    await eventually(() => target.world.recorded.length === 1, 'the usage is recorded');
    expect(target.world.recorded[0]?.outcome.outcome).toBe('client_disconnect');
    await target.expectExactUsage();
  });
});
