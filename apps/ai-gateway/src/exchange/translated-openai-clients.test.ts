import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import OpenAI from 'openai';
import { PIXEL, SCHEMA } from '../translation/features.fixture.ts';
import { CREDENTIAL } from './call-world.fixture.ts';
import { TranslatedWorld } from './translated-world.fixture.ts';

const model = 'm';
const user = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'get_weather', parameters: SCHEMA } },
];

describe.each(['anthropic', 'google'] as const)('the npm package openai with a provider of %s', (kind) => {
  let target: TranslatedWorld;
  let client: OpenAI;
  beforeEach(async () => {
    target = await TranslatedWorld.open(kind);
    client = new OpenAI({ baseURL: `${target.world.url}/v1`, apiKey: CREDENTIAL, maxRetries: 0 });
  });
  afterEach(() => target.close());

  it('has an answer, its end and its usage', async () => {
    const completion = await client.chat.completions.create({
      model,
      messages: [{ role: 'system', content: 'Be brief.' }, ...user('hello [[sim: input=100 cached=40 reasoning=3]]')],
    });
    expect(completion.choices).toMatchObject([
      { index: 0, message: { role: 'assistant', content: 'You said: hello. 1 2 3' }, finish_reason: 'stop' },
    ]);
    expect(completion).toMatchObject({
      object: 'chat.completion',
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 107,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
    await target.expectExactUsage();
  });

  it.each([true, false])('streams text, with usage when it is asked for: %s', async (include_usage) => {
    const stream = await client.chat.completions.create({
      model,
      stream: true,
      messages: user('héllo 世界 🙂 [[sim: chunks=20 split=3 comments=1]]'),
      ...(include_usage && { stream_options: { include_usage } }),
    });
    let [text, chunks] = ['', 0];
    const [usages, reasons] = [[] as number[], [] as string[]];
    for await (const { choices, usage } of stream) {
      chunks += 1;
      text += choices[0]?.delta.content ?? '';
      if (usage != null) usages.push(usage.completion_tokens);
      if (choices[0]?.finish_reason != null) reasons.push(choices[0].finish_reason);
    }
    expect(text).toBe(`You said: héllo 世界 🙂. ${Array.from({ length: 19 }, (_, at) => at + 1).join(' ')}`);
    expect([chunks > 20, usages, reasons]).toEqual([true, include_usage ? [20] : [], ['stop']]);
    await target.expectExactUsage();
  });

  it.each(['plain', 'stream'])('calls tools in a loop until the answer: %s', async (form) => {
    const parameters = {
      model,
      messages: user('Ask get_weather for city=Paris'),
      tools: [
        {
          type: 'function' as const,
          function: {
            name: 'get_weather',
            description: 'The weather of a city',
            parameters: SCHEMA,
            parse: JSON.parse as (text: string) => { city: string },
            function: ({ city }: { city: string }) => `sun in ${city}`,
          },
        },
      ],
    };
    const run =
      form === 'stream'
        ? client.chat.completions.runTools({ ...parameters, stream: true })
        : client.chat.completions.runTools(parameters);
    expect(await run.finalContent()).toBe('The tool said: sun in Paris. 1 2 3');
    await target.expectExactUsage();
  });

  it('streams calls of two tools', async () => {
    const [first] = tools as [OpenAI.ChatCompletionFunctionTool];
    const both = [first, { ...first, function: { ...first.function, name: 'get_time' } }];
    const stream = client.chat.completions.stream({
      model,
      messages: user('get_weather get_time city=Rome'),
      tools: both,
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
      { type: 'function', function: { name: 'get_time', arguments: '{"city":"Rome"}' } },
    ]);
  });

  it('sees an image, and answers by a JSON schema', async () => {
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
    ];
    const seen = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
    expect(seen.choices[0]?.message.content).toBe('You said with 1 image(s): Look. 1 2 3');
    const parsed = await client.chat.completions.parse({
      model,
      messages: user('Json'),
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA, strict: true } },
    });
    expect(parsed.choices[0]?.message.parsed).toEqual({ answer: 'Json' });
  });

  it('ends at the limit of tokens', async () => {
    const completion = await client.chat.completions.create({ model, messages: user('a'), max_completion_tokens: 2 });
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'You said: a. 1' } });
  });

  it('sees the errors of the provider in its own form', async () => {
    await expect(
      client.chat.completions.create({ model, messages: user('a [[sim: fault=status:429 retry_after=7]]') }),
    ).rejects.toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/quota|limit/i),
    });
    await expect(
      client.chat.completions.create({ model, messages: user('a [[sim: fault=status:400]]') }),
    ).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });

  it('sees an error in the middle of a stream', async () => {
    const read = async (directives: string) => {
      const stream = await client.chat.completions.create({
        model,
        stream: true,
        messages: user(`a [[sim: ${directives}]]`),
      });
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
    };
    await expect(read('fault=error_event:4')).rejects.toBeInstanceOf(OpenAI.APIError);
    await expect(read('fault=truncate:4')).rejects.toBeInstanceOf(OpenAI.APIError);
    await expect(read('fault=reset_after:4')).rejects.toThrow();
  });

  it('names the field that cannot be translated', async () => {
    await expect(
      client.chat.completions.create({ model, messages: user('a'), logit_bias: { 1: 2 } }),
    ).rejects.toMatchObject({
      status: 422,
      param: 'logit_bias',
      message: expect.stringContaining(`the format of ${kind}`),
    });
    expect(await target.vendors.readLog()).toEqual([]);
  });

  it('closes the request at the provider when it leaves', async () => {
    const stream = await client.chat.completions.create({
      model,
      stream: true,
      messages: user('a [[sim: delay_ms=5 chunks=100]]'),
    });
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await eventually(() => target.world.recorded.length === 1, 'the usage is recorded');
    expect(target.world.recorded[0]?.outcome.outcome).toBe('client_disconnect');
    await target.expectExactUsage();
  });
});
