import { describe, expect, it } from '@jest/globals';
import Anthropic from '@anthropic-ai/sdk';
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

const model = SDK_MODELS.anthropic;
const max_tokens = 2000;
const tools: Anthropic.Tool[] = [
  {
    name: 'get_weather',
    description: 'The weather of a city',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

/** Defines the tests of the npm package `@anthropic-ai/sdk`. */
export function describeAnthropicSdk(getTarget: () => SdkTarget): void {
  const connect = (options: { apiKey?: string; maxRetries?: number } = {}): Anthropic => {
    const { urls, keys } = getTarget();
    return new Anthropic({
      baseURL: urls.anthropic,
      apiKey: keys.anthropic,

      maxRetries: 0,
      ...options,
    });
  };
  const ask = (
    content: Anthropic.MessageParam['content'],
    members: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
  ) => ({
    model,
    max_tokens,
    messages: [{ role: 'user' as const, content }],
    ...members,
  });
  const readText = ({ content }: Anthropic.Message): string =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

  describe('messages of the npm package @anthropic-ai/sdk', () => {
    it('have text and usage with disjoint counts', async () => {
      const message = await connect().messages.create(ask('hello [[sim: input=100 cached=40 cache_write=10]]'));
      expect([readText(message), message.stop_reason]).toEqual(['You said: hello. 1 2 3', 'end_turn']);
      expect(message.usage).toMatchObject({
        input_tokens: 50,
        cache_read_input_tokens: 40,
        cache_creation_input_tokens: 10,
        output_tokens: 4,
      });
      expect(message._request_id).toEqual(expect.any(String));
    });

    it('stream, with thinking and cumulative usage', async () => {
      const thinking = { type: 'adaptive' } as const;
      const stream = connect().messages.stream(ask('héllo 世界 🙂 [[sim: chunks=20 web_search=1]]', { thinking }));
      const message = await stream.finalMessage();
      expect(message.content[0]).toMatchObject({ type: 'thinking', thinking: 'I think about it.' });
      expect(readText(message)).toContain('You said: héllo 世界 🙂. 1 2 3');
      expect(message.usage).toMatchObject({ output_tokens: 36, server_tool_use: { web_search_requests: 1 } });
    });

    it('call tools, and answer with their results', async () => {
      const first = ask('Ask get_weather for city=Paris', { tools });
      const called = await connect().messages.stream(first).finalMessage();
      const use = called.content.find((block) => block.type === 'tool_use');
      expect([called.stop_reason, use]).toMatchObject(['tool_use', { name: 'get_weather', input: { city: 'Paris' } }]);
      const result = { type: 'tool_result' as const, tool_use_id: use!.id, content: 'sun in Paris' };
      const messages: Anthropic.MessageParam[] = [
        ...first.messages,
        { role: 'assistant', content: called.content },
        { role: 'user', content: [result] },
      ];
      const answered = await connect().messages.create({ ...first, messages });
      expect(readText(answered)).toBe('The tool said: sun in Paris. 1 2 3');
    });

    it('take images', async () => {
      const source = { type: 'base64', media_type: 'image/png', data: PIXEL } as const;
      const message = await connect().messages.create(
        ask([
          { type: 'image', source },
          { type: 'text', text: 'look' },
        ]),
      );
      expect(readText(message)).toBe('You said with 1 image(s): look. 1 2 3');
    });

    it('are repeated by the SDK after a 429 and a 529', async () => {
      for (const status of [429, 529]) {
        const name = nameRequest();
        const text = `a [[sim: name=${name} fault=status:${status} retry_after=1 times=2]]`;
        const message = await connect({ maxRetries: 2 }).messages.create(ask(text));
        expect(readText(message)).toBe('You said: a. 1 2 3');
        const records = await readEnded(getTarget(), name);
        expect(records.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'answered']);
      }
    });

    it('raise the error of the status, with the message of the vendor', async () => {
      const fail = (status: number) => connect().messages.create(ask(`a [[sim: fault=status:${status}]]`));
      await expect(fail(400)).rejects.toBeInstanceOf(Anthropic.BadRequestError);
      await expect(fail(409)).rejects.toBeInstanceOf(Anthropic.ConflictError);
      await expect(fail(429)).rejects.toBeInstanceOf(Anthropic.RateLimitError);
      await expect(fail(529)).rejects.toMatchObject({ status: 529, error: { error: { type: 'overloaded_error' } } });
    });

    it('raise the error of a field, a model and a key', async () => {
      const field = connect().messages.create({ ...ask('a'), no_such_field: 1 } as ReturnType<typeof ask>);
      await expect(field).rejects.toBeInstanceOf(Anthropic.BadRequestError);
      await expect(field).rejects.toMatchObject({ message: expect.stringContaining('no_such_field') });
      const other = connect().messages.create(ask('a', { model: 'claude-none' }));
      await expect(other).rejects.toBeInstanceOf(Anthropic.NotFoundError);
      const wrong = connect({ apiKey: 'sk-wrong' }).messages.create(ask('a'));
      await expect(wrong).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    });

    it('raise an error that comes in the stream, and a connection that is cut', async () => {
      const read = (fault: string) =>
        connect()
          .messages.stream(ask(`a [[sim: fault=${fault}]]`))
          .finalMessage();
      await expect(read('error_event:3')).rejects.toThrow('Overloaded');
      await expect(read('reset_after:3')).rejects.toThrow();
    });

    it('end at the vendor when the caller aborts', async () => {
      const name = nameRequest();
      const stream = connect().messages.stream(ask(`a ${describeLeft(name, getTarget())}`));
      stream.once('text', () => stream.abort());
      await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
      await expectLeft(getTarget(), name);
    });
  });

  describe('other operations of the npm package @anthropic-ai/sdk', () => {
    it('count tokens', async () => {
      const { messages } = ask('hello [[sim: input=123]]');
      expect(await connect().messages.countTokens({ model, messages, tools })).toEqual({ input_tokens: 123 });
    });

    it('list and get models', async () => {
      const models = await collectValues(connect().models.list());
      expect(models.map(({ id }) => id)).toContain(model);
      expect(await connect().models.retrieve(model)).toMatchObject({ id: model, type: 'model' });
      await expect(connect().models.retrieve('claude-none')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    });
  });
}
