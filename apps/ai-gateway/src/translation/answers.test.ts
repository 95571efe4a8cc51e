import { describe, expect, it } from '@jest/globals';
import { messages } from '../formats/anthropic/messages.ts';
import { generateContent } from '../formats/google/generate-content.ts';
import type { JsonObject } from '../formats/model-request.ts';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import { createReceived, readResponse } from '../formats/read-response.fixture.ts';
import { PLAIN_MESSAGE } from './anthropic/request-features.fixture.ts';
import { findBackendOperation } from './find-backend-operation.ts';
import { PLAIN_CONTENT } from './google/request-features.fixture.ts';
import { PLAIN_CHAT } from './openai/request-features.fixture.ts';

/** An answer of a provider, and what each client gets: members of a document, or an error. */
interface AnswerCase {
  readonly name: string;
  readonly from: WireFormat;
  readonly document: JsonObject;
  readonly to: Readonly<Partial<Record<WireFormat, JsonObject | 'provider_error'>>>;
}

const message = (content: JsonObject[], stop_reason: string, more: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 7, output_tokens_details: { thinking_tokens: 2 } },
  ...more,
});
const completion = (value: JsonObject, finish_reason: string): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...value }, finish_reason }],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
});
const content = (parts: JsonObject[], finishReason: string): JsonObject => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
  modelVersion: 'gemini',
  responseId: 'abc',
});
const call = (text: string) => ({ id: 'c1', type: 'function', function: { name: 'f', arguments: text } });
const text = { type: 'text', text: 'Hi' };

const CASES: readonly AnswerCase[] = [
  {
    name: 'a text with thoughts',
    from: 'anthropic',
    document: message([{ type: 'thinking', thinking: 'Hm', signature: 's' }, text], 'end_turn'),
    to: {
      openai: {
        choices: [{ message: { content: 'Hi', refusal: null }, finish_reason: 'stop' }],
        usage: { completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 2 } },
      },
      google: {
        candidates: [{ content: { parts: [{ text: 'Hm', thought: true }, { text: 'Hi' }] }, finishReason: 'STOP' }],
        usageMetadata: { candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 12 },
      },
    },
  },
  {
    name: 'a stop sequence',
    from: 'anthropic',
    document: message([text], 'stop_sequence', { stop_sequence: 'END' }),
    to: { openai: { choices: [{ finish_reason: 'stop' }] }, google: { candidates: [{ finishReason: 'STOP' }] } },
  },
  {
    name: 'the limit of tokens',
    from: 'anthropic',
    document: message([text], 'max_tokens'),
    to: {
      openai: { choices: [{ finish_reason: 'length' }] },
      google: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
    },
  },
  {
    name: 'the end of the context window',
    from: 'anthropic',
    document: message([text], 'model_context_window_exceeded'),
    to: {
      openai: { choices: [{ finish_reason: 'length' }] },
      google: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
    },
  },
  {
    name: 'a refusal of the model',
    from: 'anthropic',
    document: message([], 'refusal'),
    to: {
      openai: { choices: [{ message: { content: null }, finish_reason: 'content_filter' }] },
      google: { candidates: [{ finishReason: 'SAFETY' }] },
    },
  },
  {
    name: 'a call of a tool',
    from: 'anthropic',
    document: message([{ type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } }], 'tool_use'),
    to: {
      openai: {
        choices: [
          {
            message: { content: null, tool_calls: [{ id: 't1', function: { name: 'f', arguments: '{"a":1}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      },
      google: { candidates: [{ content: { parts: [{ functionCall: { id: 't1', name: 'f', args: { a: 1 } } }] } }] },
    },
  },
  {
    name: 'a refusal of the model',
    from: 'openai',
    document: completion({ refusal: 'No' }, 'stop'),
    to: {
      anthropic: { content: [{ type: 'text', text: 'No' }], stop_reason: 'end_turn' },
      google: { candidates: [{ content: { parts: [{ text: 'No' }] }, finishReason: 'STOP' }] },
    },
  },
  {
    name: 'a content filter',
    from: 'openai',
    document: completion({ content: 'Hi' }, 'content_filter'),
    to: { anthropic: { stop_reason: 'refusal' }, google: { candidates: [{ finishReason: 'SAFETY' }] } },
  },
  {
    name: 'a call of a tool without arguments',
    from: 'openai',
    document: completion({ tool_calls: [call('')] }, 'tool_calls'),
    to: {
      anthropic: { content: [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }], stop_reason: 'tool_use' },
      google: { candidates: [{ content: { parts: [{ functionCall: { id: 'c1', name: 'f', args: {} } }] } }] },
    },
  },
  {
    name: 'a call of a tool that the limit of tokens has cut',
    from: 'openai',
    document: completion({ content: 'Hi', tool_calls: [call('{"a":')] }, 'length'),
    to: {
      anthropic: { content: [{ type: 'text', text: 'Hi' }], stop_reason: 'max_tokens' },
      google: { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'MAX_TOKENS' }] },
    },
  },
  {
    name: 'arguments of a tool that are no object',
    from: 'openai',
    document: completion({ tool_calls: [call('[1]')] }, 'tool_calls'),
    to: { anthropic: 'provider_error', google: 'provider_error' },
  },
  {
    name: 'an answer without choices',
    from: 'openai',
    document: { ...completion({}, 'stop'), choices: [] },
    to: { anthropic: 'provider_error', google: 'provider_error' },
  },
  {
    name: 'a call of a function with a signature and without an id',
    from: 'google',
    document: content([{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'AAAA' }], 'STOP'),
    to: {
      openai: {
        choices: [
          {
            message: {
              tool_calls: [
                {
                  id: 'call_abc_0_1',
                  function: { name: 'f', arguments: '{"a":1}' },
                  extra_content: { google: { thought_signature: 'AAAA' } },
                },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
      },
      anthropic: {
        content: [{ type: 'tool_use', id: 'call_abc_0_1', name: 'f', input: { a: 1 } }],
        stop_reason: 'tool_use',
      },
    },
  },
  {
    name: 'a text with thoughts',
    from: 'google',
    document: content([{ text: 'Hm', thought: true }, { text: 'Hi' }], 'STOP'),
    to: {
      openai: { choices: [{ message: { content: 'Hi' } }] },
      anthropic: { content: [{ type: 'text', text: 'Hi' }], usage: { input_tokens: 5, output_tokens: 7 } },
    },
  },
  {
    name: 'an answer that a filter has ended',
    from: 'google',
    document: content([], 'SAFETY'),
    to: { openai: { choices: [{ finish_reason: 'content_filter' }] }, anthropic: { stop_reason: 'refusal' } },
  },
  {
    name: 'a prompt that a filter has blocked',
    from: 'google',
    document: { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 } },
    to: {
      openai: { choices: [{ message: { content: null }, finish_reason: 'content_filter' }] },
      anthropic: { content: [], stop_reason: 'refusal' },
    },
  },
  {
    name: 'a call that the model has not written correctly',
    from: 'google',
    document: content([], 'MALFORMED_FUNCTION_CALL'),
    to: { openai: 'provider_error', anthropic: 'provider_error' },
  },
  {
    name: 'a generated image',
    from: 'google',
    document: content([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }], 'STOP'),
    to: { openai: 'provider_error', anthropic: 'provider_error' },
  },
];

const CLIENTS: Readonly<Record<WireFormat, { readonly operation: ModelOperation; readonly body: JsonObject }>> = {
  openai: { operation: chatCompletions, body: PLAIN_CHAT },
  anthropic: { operation: messages, body: PLAIN_MESSAGE },
  google: {
    operation: generateContent,
    body: { ...PLAIN_CONTENT, generationConfig: { thinkingConfig: { includeThoughts: true } } },
  },
};

describe.each(
  CASES.flatMap(({ to, ...answer }) =>
    Object.entries(to).map(([client, expected]) => ({ ...answer, client: client as WireFormat, expected })),
  ),
)('$name of $from', ({ from, document, client, expected }) => {
  const { operation, body } = CLIENTS[client];

  it(`is translated for clients of ${client}`, () => {
    const request = operation.readRequest({ ...createReceived(body), pathModel: 'm' });
    const found = findBackendOperation(operation, request, from, 'm');
    if (found === undefined) throw new Error('there is no translation');
    const read = () => readResponse(found.operation, found.request, Buffer.from(JSON.stringify(document)), [7]);
    if (expected === 'provider_error') expect(read).toThrow(expect.objectContaining({ failure: 'provider_error' }));
    else expect(JSON.parse(read().text)).toMatchObject(expected);
  });
});
