import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import {
  collectValues,
  describeLeft,
  expectLeft,
  nameRequest,
  PIXEL,
  readEnded,
  SDK_MODELS,
  type SdkTarget,
} from './sdk-target.ts';

const model = SDK_MODELS.openai;
const WEATHER = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const tools = [
  { type: 'function', function: { name: 'get_weather', parameters: WEATHER } },
] satisfies OpenAI.ChatCompletionTool[];

/** Defines the tests of the npm package `openai`. */
export function describeOpenAiSdk(getTarget: () => SdkTarget): void {
  const connect = (options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {}): OpenAI => {
    const { urls, keys } = getTarget();
    return new OpenAI({ baseURL: `${urls.openai}/v1`, apiKey: keys.openai, maxRetries: 0, ...options });
  };
  const user = (content: string): [OpenAI.ChatCompletionUserMessageParam] => [{ role: 'user', content }];

  describe('chat completions of the npm package openai', () => {
    it('have text, several choices and usage', async () => {
      const messages = user('hello [[sim: input=100 cached=40]]');
      const completion = await connect().chat.completions.create({ model, n: 2, messages });
      const text = 'You said: hello. 1 2 3';
      expect(completion.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual([
        [text, 'stop'],
        [text, 'stop'],
      ]);
      expect(completion.usage).toMatchObject({
        prompt_tokens: 100,
        completion_tokens: 8,
        prompt_tokens_details: { cached_tokens: 40 },
      });
      expect(completion.service_tier).toBe('default');
    });

    it('have the request id of the answer', async () => {
      const { response, request_id } = await connect()
        .chat.completions.create({ model, messages: user('a') })
        .withResponse();
      expect([response.status, typeof request_id]).toEqual([200, 'string']);
    });

    it.each([true, false])('stream, with usage when it is asked for: %s', async (include_usage) => {
      const stream = await connect().chat.completions.create({
        model,
        stream: true,
        messages: user('héllo 世界 🙂 [[sim: chunks=20]]'),
        ...(include_usage && { stream_options: { include_usage } }),
      });
      const chunks = await collectValues(stream);
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      expect(text).toBe(`You said: héllo 世界 🙂. ${Array.from({ length: 19 }, (_, at) => at + 1).join(' ')}`);
      expect(chunks.flatMap(({ usage }) => usage?.completion_tokens ?? [])).toEqual(include_usage ? [20] : []);
      const filtered = (chunk: object) => 'prompt_filter_results' in chunk;
      expect(chunks.some((chunk) => chunk.choices.length === 0 && !filtered(chunk))).toBe(include_usage);
      expect(chunks.some((chunk) => 'usage' in chunk)).toBe(include_usage);
    });

    it('call tools in a loop until the answer', async () => {
      const run = connect().chat.completions.runTools({
        model,
        messages: user('Ask get_weather for city=Paris'),
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              description: 'The weather of a city',
              parameters: WEATHER,
              parse: JSON.parse as (text: string) => { city: string },
              function: ({ city }: { city: string }) => `sun in ${city}`,
            },
          },
        ],
      });
      expect(await run.finalContent()).toBe('The tool said: sun in Paris. 1 2 3');
    });

    it('stream calls of tools in parts', async () => {
      const messages = user('Ask get_weather for city=Paris');
      const stream = connect().chat.completions.stream({ model, messages, tools });
      const call = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
      expect(call).toMatchObject({ function: { name: 'get_weather', arguments: '{"city":"Paris"}' } });
    });

    it('take images', async () => {
      const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } } as const;
      const content = [{ type: 'text', text: 'look' } as const, image];
      const completion = await connect().chat.completions.create({ model, messages: [{ role: 'user', content }] });
      expect(completion.choices[0]?.message.content).toBe('You said with 1 image(s): look. 1 2 3');
    });

    it('are repeated by the SDK after a 429', async () => {
      const name = nameRequest();
      const messages = user(`a [[sim: name=${name} fault=status:429 retry_after=1 times=2]]`);
      const completion = await connect({ maxRetries: 2 }).chat.completions.create({ model, messages });
      expect(completion.choices[0]?.message.content).toBe('You said: a. 1 2 3');
      const records = await readEnded(getTarget(), name);
      expect(records.map(({ status }) => status)).toEqual([429, 429, 200]);
    });

    it('raise the error of the status, with the message of the vendor', async () => {
      const fail = (status: number) =>
        connect().chat.completions.create({ model, messages: user(`a [[sim: fault=status:${status}]]`) });
      await expect(fail(400)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
      await expect(fail(409)).rejects.toBeInstanceOf(OpenAI.ConflictError);
      await expect(fail(429)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
      await expect(fail(500)).rejects.toBeInstanceOf(OpenAI.InternalServerError);
      await expect(fail(429)).rejects.toMatchObject({ status: 429, message: expect.stringContaining('Rate limit') });
    });

    it('raise the error of a field, a model and a key', async () => {
      const create = (members: object, client = connect()) =>
        client.chat.completions.create({ model, messages: user('a'), ...members });
      const field = create({ no_such_field: 1 });
      await expect(field).rejects.toBeInstanceOf(OpenAI.BadRequestError);
      await expect(field).rejects.toMatchObject({ message: expect.stringContaining('no_such_field') });
      await expect(create({ model: 'gpt-none' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      await expect(create({}, connect({ apiKey: 'sk-wrong' }))).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    });

    it('raise an error that comes in the stream, and a connection that is cut', async () => {
      const read = async (fault: string) => {
        const messages = user(`a [[sim: fault=${fault}]]`);
        return collectValues(await connect().chat.completions.create({ model, stream: true, messages }));
      };
      await expect(read('error_event:2')).rejects.toThrow('The server had an error');
      await expect(read('reset_after:2')).rejects.toThrow();
    });

    it('end at the vendor when the caller aborts', async () => {
      const name = nameRequest();
      const messages = user(`a ${describeLeft(name, getTarget())}`);
      const stream = await connect().chat.completions.create({ model, stream: true, messages });
      const ids: string[] = [];
      for await (const { id } of stream) if (ids.push(id) === 3) stream.controller.abort();
      await expectLeft(getTarget(), name);
    });
  });

  describe('responses of the npm package openai', () => {
    it('have text and usage', async () => {
      const response = await connect().responses.create({ model, input: 'hello [[sim: input=100 cached=40]]' });
      expect([response.output_text, response.status]).toEqual(['You said: hello. 1 2 3', 'completed']);
      expect(response.usage).toMatchObject({
        input_tokens: 100,
        output_tokens: 4,
        input_tokens_details: { cached_tokens: 40 },
      });
    });

    it('stream until the event with the usage', async () => {
      const input = 'hello [[sim: chunks=20]]';
      const events = await collectValues(await connect().responses.create({ model, input, stream: true }));
      const text = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
      expect(text).toHaveLength(20);
      expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: { output_tokens: 20 } } });
    });

    it('reason, are cut at the most tokens, and call tools', async () => {
      const input = 'Ask get_weather for city=Paris';
      const tool = { type: 'function', name: 'get_weather', parameters: WEATHER, strict: true } as const;
      const called = await connect().responses.create({ model, input, tools: [tool] });
      expect(called.output).toMatchObject([
        { type: 'function_call', name: 'get_weather', arguments: '{"city":"Paris"}' },
      ]);
      const long = { model, input: '[[sim: chunks=50]]', max_output_tokens: 16, reasoning: { effort: 'low' } } as const;
      const cut = await connect().responses.create(long);
      expect(cut).toMatchObject({ status: 'incomplete', usage: { output_tokens_details: { reasoning_tokens: 16 } } });
    });

    it('raise the error of an unknown parameter', async () => {
      const input = { model, input: 'a', no_such_field: 1 };
      await expect(connect().responses.create(input)).rejects.toMatchObject({ status: 400, code: 'unknown_parameter' });
    });
  });

  describe('other operations of the npm package openai', () => {
    it('embed texts', async () => {
      const { data, usage } = await connect().embeddings.create({ model: SDK_MODELS.embedding, input: ['one', 'two'] });
      expect(data.map(({ embedding }) => embedding.length)).toEqual([16, 16]);
      expect(usage).toEqual({ prompt_tokens: 2, total_tokens: 2 });
    });

    it('list and get models', async () => {
      const models = await collectValues(connect().models.list());
      expect(models.map(({ id }) => id)).toContain(model);
      expect(await connect().models.retrieve(model)).toMatchObject({ id: model, object: 'model' });
      await expect(connect().models.retrieve('gpt-none')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    });
  });
}
