import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { PIXEL, SCHEMA } from '../translation/features.fixture.ts';
import { CREDENTIAL } from './call-world.fixture.ts';
import { TranslatedWorld } from './translated-world.fixture.ts';

const tools: Anthropic.Tool[] = [
  { name: 'get_weather', description: 'The weather of a city', input_schema: { ...SCHEMA, type: 'object' } },
];
const ask = (
  content: Anthropic.MessageParam['content'],
  members: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
): Anthropic.MessageCreateParamsNonStreaming => ({
  model: 'm',
  max_tokens: 2_000,
  messages: [{ role: 'user', content }],
  ...members,
});
const readText = ({ content }: Anthropic.Message): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

describe.each(['openai', 'google'] as const)('the npm package @anthropic-ai/sdk with a provider of %s', (kind) => {
  let target: TranslatedWorld;
  let client: Anthropic;
  beforeEach(async () => {
    target = await TranslatedWorld.open(kind);
    client = new Anthropic({ baseURL: target.world.url, apiKey: CREDENTIAL, authToken: null, maxRetries: 0 });
  });
  afterEach(() => target.close());

  it('has an answer, its end and its usage', async () => {
    const message = await client.messages.create(
      ask('hello [[sim: input=100 cached=40 reasoning=3]]', { system: 'Be brief.' }),
    );
    expect([readText(message), message.stop_reason]).toEqual(['You said: hello. 1 2 3', 'end_turn']);
    expect(message.usage).toMatchObject({ input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 7 });
    await target.expectExactUsage();
  });

  it('streams text with its usage', async () => {
    const stream = client.messages.stream(ask('héllo 世界 🙂 [[sim: chunks=20 split=3 comments=1 input=9]]'));
    let texts = 0;
    stream.on('text', () => (texts += 1));
    const message = await stream.finalMessage();
    expect(readText(message)).toBe(
      `You said: héllo 世界 🙂. ${Array.from({ length: 19 }, (_, at) => at + 1).join(' ')}`,
    );
    expect([texts >= 20, message.stop_reason]).toEqual([true, 'end_turn']);
    expect(message.usage).toMatchObject({ input_tokens: 9, output_tokens: 20 });
    await target.expectExactUsage();
  });

  it.each(['plain', 'stream'])('calls a tool, and answers with its result: %s', async (form) => {
    const create = (params: Anthropic.MessageCreateParamsNonStreaming) =>
      form === 'stream' ? client.messages.stream(params).finalMessage() : client.messages.create(params);
    const first = ask('Ask get_weather for city=Paris', { tools });
    const called = await create(first);
    const use = called.content.find((block) => block.type === 'tool_use');
    expect([called.stop_reason, use]).toMatchObject(['tool_use', { name: 'get_weather', input: { city: 'Paris' } }]);
    const result = { type: 'tool_result' as const, tool_use_id: use?.id ?? '', content: 'sun in Paris' };
    const answered = await create({
      ...first,
      messages: [
        ...first.messages,
        { role: 'assistant', content: called.content },
        { role: 'user', content: [result] },
      ],
    });
    expect(readText(answered)).toBe('The tool said: sun in Paris. 1 2 3');
    await target.expectExactUsage();
  });

  it('streams calls of two tools', async () => {
    const both = [...tools, { ...tools[0], name: 'get_time' } as Anthropic.Tool];
    const message = await client.messages.stream(ask('get_weather get_time city=Rome', { tools: both })).finalMessage();
    expect(message.content).toMatchObject([
      { type: 'tool_use', name: 'get_weather', input: { city: 'Rome' } },
      { type: 'tool_use', name: 'get_time', input: { city: 'Rome' } },
    ]);
  });

  it('sees an image, and answers by a JSON schema', async () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL },
    };
    expect(readText(await client.messages.create(ask([image, { type: 'text', text: 'Look' }])))).toBe(
      'You said with 1 image(s): Look. 1 2 3',
    );
    const output_config = { format: { type: 'json_schema' as const, schema: SCHEMA } };
    expect(readText(await client.messages.create(ask('Json', { output_config })))).toBe('{"answer":"Json"}');
  });

  it('ends at the limit of tokens', async () => {
    const message = await client.messages.create(ask('a', { max_tokens: 2 }));
    expect([readText(message), message.stop_reason]).toEqual(['You said: a. 1', 'max_tokens']);
  });

  it('sees the errors of the provider in its own form', async () => {
    await expect(client.messages.create(ask('a [[sim: fault=status:429 retry_after=7]]'))).rejects.toBeInstanceOf(
      Anthropic.RateLimitError,
    );
    await expect(client.messages.create(ask('a [[sim: fault=status:400]]'))).rejects.toMatchObject({
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error', message: expect.any(String) } },
    });
  });

  it.each(['error_event:4', 'truncate:4', 'reset_after:4'])('sees a stream that ends early: %s', async (fault) => {
    const stream = client.messages.stream(ask(`a [[sim: fault=${fault}]]`));
    await expect(stream.finalMessage()).rejects.toThrow();
  });

  it('names the field that cannot be translated', async () => {
    const content = [{ type: 'image' as const, source: { type: 'file' as const, file_id: 'f' } }];
    await expect(
      client.messages.create(ask(content as unknown as Anthropic.MessageParam['content'])),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('messages.0.content.0.source.type') });
    expect(await target.vendors.readLog()).toEqual([]);
  });

  it('is charged exactly when it leaves', async () => {
    const stream = client.messages.stream(ask('a [[sim: delay_ms=5 chunks=100]]'));
    stream.on('error', () => undefined);
    stream.on('abort', () => undefined);
    stream.once('text', () => stream.abort());
    await eventually(() => target.world.recorded.length === 1, 'the usage is recorded');
    expect(target.world.recorded[0]?.outcome.outcome).toBe('client_disconnect');
    await target.expectExactUsage();
  });
});
