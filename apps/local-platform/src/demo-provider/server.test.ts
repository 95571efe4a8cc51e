import type { Vendor } from '@gatehouse/money/rates';
import { readUsage } from '@gatehouse/money/usage';
import { effort } from '@gatehouse/testing/effort';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens } from './echo.ts';
import { type DemoProvider, startDemoProvider } from './server.ts';

const ANSWER = '[demo: no model was called] You said: Hello, how are you?';
const messages = [
  { role: 'user', content: 'First' },
  { role: 'assistant', content: 'Second' },
  { role: 'user', content: [{ type: 'text', text: 'Hello, how are you?' }] },
];
const contents = [{ role: 'user', parts: [{ text: 'Hello, how are you?' }] }];
const model = 'demo-echo';
const OPERATIONS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/messages',
  '/v1/messages/count_tokens',
  ...['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent', 'batchEmbedContents'].map(
    (verb) => `/v1beta/models/demo-echo:${verb}`,
  ),
];

/** Reads a member by its path, such as `choices.0.delta`. */
const get = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);

const READERS: [name: string, vendor: Vendor, path: string, body: object, text: string, usage: string][] = [
  ['Chat Completions', 'openai', '/v1/chat/completions', { model, messages }, 'choices.0.message.content', 'usage'],
  ['Responses', 'openai', '/v1/responses', { model, input: messages }, 'output.0.content.0.text', 'usage'],
  ['Messages', 'anthropic', '/v1/messages', { model, max_tokens: 100, messages }, 'content.0.text', 'usage'],
  [
    'generateContent',
    'google',
    '/v1beta/models/demo-echo:generateContent',
    { contents },
    'candidates.0.content.parts.0.text',
    'usageMetadata',
  ],
];

describe('the demo provider', () => {
  let provider: DemoProvider;
  beforeAll(async () => {
    provider = await startDemoProvider(0);
  });
  afterAll(() => provider.close());

  const post = (path: string, body: unknown) =>
    fetch(provider.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const readJson = async (path: string, body: unknown): Promise<unknown> => (await post(path, body)).json();
  const readEvents = async (path: string, body: unknown): Promise<unknown[]> => {
    const text = await (await post(path, body)).text();
    const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
    return data.map((line): unknown => (line === '[DONE]' ? line : JSON.parse(line)));
  };
  const join = (events: readonly unknown[], path: string) =>
    events.flatMap((event) => (get(event, path) as string | undefined) ?? []).join('');

  it.each(READERS)('repeats the last message of the user in %s', async (_, vendor, path, body, text, usage) => {
    const answer = await readJson(path, body);
    expect(get(answer, text)).toBe(ANSWER);
    const raw = get(answer, usage) as Record<string, unknown>;
    expect(readUsage(vendor, raw)).toMatchObject({ output: BigInt(countTokens(ANSWER)) });
    expect(get(await readJson(path, body), usage)).toEqual(raw);
  });

  it('streams Chat Completions, with usage only on request', async () => {
    const request = { model, messages, stream: true };
    const events = await readEvents('/v1/chat/completions', request);
    expect([join(events, 'choices.0.delta.content'), events.length > 4]).toEqual([ANSWER, true]);
    expect([events.at(-1), JSON.stringify(events).includes('usage')]).toEqual(['[DONE]', false]);
    const withUsage = { ...request, stream_options: { include_usage: true } };
    expect((await readEvents('/v1/chat/completions', withUsage)).at(-2)).toMatchObject({
      choices: [],
      usage: { completion_tokens: countTokens(ANSWER) },
    });
  });

  it('streams Responses, with a sequence number in each event', async () => {
    const events = await readEvents('/v1/responses', { model, input: 'Hello, how are you?', stream: true });
    expect(events.map((event) => get(event, 'sequence_number'))).toEqual([...events.keys()]);
    expect(join(events, 'delta')).toBe(ANSWER);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  });

  it('streams Messages', async () => {
    const events = await readEvents('/v1/messages', { model, max_tokens: 100, messages, stream: true });
    expect(join(events, 'delta.text')).toBe(ANSWER);
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', usage: { output_tokens: countTokens(ANSWER) } });
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  it('streams generateContent as events or as one list', async () => {
    const path = '/v1beta/models/demo-echo:streamGenerateContent';
    const events = await readEvents(`${path}?alt=sse`, { contents });
    expect(await readJson(path, { contents })).toEqual(events);
    expect([join(events, 'candidates.0.content.parts.0.text'), events.length > 2]).toEqual([ANSWER, true]);
    expect(get(events.at(-1), 'usageMetadata.candidatesTokenCount')).toBe(countTokens(ANSWER));
  });

  it('cuts the answer at the limit of the request, with the reason', async () => {
    const request = { model, messages, max_tokens: 2 };
    const choices = [{ message: { content: '[demo: n' }, finish_reason: 'length' }];
    expect(await readJson('/v1/chat/completions', request)).toMatchObject({ choices });
    const message = { stop_reason: 'max_tokens', usage: { output_tokens: 2 } };
    expect(await readJson('/v1/messages', request)).toMatchObject(message);
  });

  it('repeats a long message in part', async () => {
    const long = [{ role: 'user', content: '😀'.repeat(5_000) }];
    const answer = await readJson('/v1/chat/completions', { model, messages: long });
    expect(get(answer, 'choices.0.message.content')).toMatch(/(😀){2000}…$/u);
    expect(get(answer, 'usage.prompt_tokens')).toBeGreaterThan(2_500);
  });

  it('counts tokens as it reports them', async () => {
    const counted = await readJson('/v1/messages/count_tokens', { model, messages });
    const answer = await readJson('/v1/messages', { model, messages, max_tokens: 100 });
    expect(get(counted, 'input_tokens')).toBe(get(answer, 'usage.input_tokens'));
  });

  it('embeds texts as lists of numbers and as base64', async () => {
    const request = { model, input: ['one', 'two'], dimensions: 8 };
    const plain = await readJson('/v1/embeddings', request);
    const coded = await readJson('/v1/embeddings', { ...request, encoding_format: 'base64' });
    const bytes = new Uint8Array(Buffer.from(get(coded, 'data.1.embedding') as string, 'base64'));
    const vector = get(plain, 'data.1.embedding') as number[];
    expect([...new Float32Array(bytes.buffer)]).toEqual(vector.map(Math.fround));
    expect([vector.length, get(plain, 'usage.prompt_tokens')]).toEqual([8, 2]);
  });

  it.each([
    ['/v1/chat/completions', 'garbage', { error: { type: 'invalid_request_error' } }],
    ['/v1/messages', '{}', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v1beta/models/demo-echo:generateContent', '[]', { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
  ])('refuses a wrong request to %s in the form of the vendor', async (path, body, expected) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject(expected);
  });

  it('answers every JSON object with 200 or 400', async () => {
    const names = ['model', 'messages', 'input', 'contents', 'requests', 'generationConfig', 'max_tokens', 'stream'];
    const bodies = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...OPERATIONS), bodies, async (path, body) => {
        const response = await post(path, { model, ...body });
        await response.arrayBuffer();
        expect([200, 400]).toContain(response.status);
      }),
      { numRuns: 200 * effort },
    );
  });
});
