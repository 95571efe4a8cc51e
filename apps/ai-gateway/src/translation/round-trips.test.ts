import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { JsonObject, ModelRequest } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import { createReceived } from '../formats/read-response.fixture.ts';
import { readMessageChat } from './anthropic/request-reader.ts';
import { writeMessageRequest } from './anthropic/request-writer.ts';
import type { ChatPart, ChatRequest, ChatTurn } from './chat/chat-request.ts';
import { SCHEMA } from './features.fixture.ts';
import { readContentChat } from './google/request-reader.ts';
import { writeGenerateRequest } from './google/request-writer.ts';
import { readChatRequest } from './openai/request-reader.ts';
import { writeChatRequest } from './openai/request-writer.ts';

const text = fc.string({ minLength: 1, maxLength: 20 }).map((value): ChatPart => ({ kind: 'text', text: value }));
const image = fc.constant<ChatPart>({
  kind: 'media',
  type: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0K' },
  field: '',
});
const input = fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string(), fc.boolean(), fc.integer()), {
  maxKeys: 3,
  noNullPrototype: true,
});

/** Turns of a user and an assistant, some with calls of tools whose results follow. */
const turns = fc
  .array(
    fc.record({
      said: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 3 }),
      answer: text,
      calls: fc.array(input, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list): ChatTurn[] => {
    const made: ChatTurn[] = [];
    let [count, results] = [0, [] as ChatPart[]];
    for (const { said, answer, calls } of list) {
      made.push({ role: 'user', parts: [...results, ...said] });
      const parts = calls.map((value): ChatPart => {
        count += 1;
        return { kind: 'tool_call', id: `call_${count}`, name: 'weather', input: value, field: '' };
      });
      made.push({ role: 'assistant', parts: [answer, ...parts] });
      results = parts.map((part) => ({
        kind: 'tool_result',
        id: (part as { id: string }).id,
        content: [{ kind: 'text', text: 'done' }],
        isError: false,
        field: '',
      }));
    }
    made.push({ role: 'user', parts: [...results, { kind: 'text', text: 'end' }] });
    return made;
  });

const located = <T>(value: fc.Arbitrary<T>) =>
  fc.option(
    value.map((one) => ({ value: one, field: '' })),
    { nil: undefined },
  );

const chats: fc.Arbitrary<ChatRequest> = fc.record({
  model: fc.constant('m'),
  isStream: fc.boolean(),
  instructions: fc.array(text, { maxLength: 2 }) as fc.Arbitrary<ChatRequest['instructions']>,
  turns,
  turnsField: fc.constant(''),
  tools: fc.constant([{ name: 'weather', description: 'd', schema: SCHEMA, isStrict: false, field: '' }]),
  toolChoice: located(
    fc.constantFrom(
      { kind: 'none' as const },
      { kind: 'required' as const },
      { kind: 'named' as const, names: ['weather'] },
    ),
  ),
  maxTokens: located(fc.integer({ min: 1, max: 9_999 })),
  temperature: located(fc.constantFrom(0, 0.5, 1)),
  topP: located(fc.constantFrom(0.1, 1)),
  stop: located(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 })),
  output: located(fc.constant({ kind: 'json_schema' as const, schema: SCHEMA })),
  tier: located(fc.constant('standard' as const)),
});

const receive = (body: JsonObject, isStream: boolean): ModelRequest => ({
  received: createReceived(body),
  model: 'm',
  isStream,
  estimate: { promptTokens: 0 },
  members: new Map(),
});

/** Leaves out names of fields and what a format must add. */
const describeMeaning = (chat: ChatRequest): unknown =>
  JSON.parse(
    JSON.stringify(chat, (name, value: unknown) =>
      name === 'field' ||
      name === 'turnsField' ||
      name === 'signature' ||
      value === false ||
      (name === 'name' && value === 'answer')
        ? undefined
        : value,
    ),
  );

const FORMATS: readonly { format: WireFormat; repeat: (chat: ChatRequest) => ChatRequest }[] = [
  { format: 'openai', repeat: (chat) => readChatRequest(writeChatRequest(chat), 'google') },
  { format: 'anthropic', repeat: (chat) => readMessageChat(writeMessageRequest(chat, 'm'), 'google') },
  {
    format: 'google',
    repeat: (chat) => readContentChat(receive(writeGenerateRequest(chat, 'm'), chat.isStream), 'openai'),
  },
];

describe.each(FORMATS)('a chat in the format of $format', ({ format, repeat }) => {
  it('keeps its meaning when it is written and read', () => {
    fc.assert(
      fc.property(chats, (chat) => {
        // Anthropic requires a limit.
        const sent =
          format === 'anthropic' && chat.maxTokens === undefined
            ? { ...chat, maxTokens: { value: 8_192, field: '' } }
            : chat;
        expect(describeMeaning(repeat(sent))).toEqual(describeMeaning(sent));
      }),
      { seed, numRuns: 100 * effort },
    );
  });
});
