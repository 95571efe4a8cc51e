import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effort, seed } from '@gatehouse/testing/effort';
import { encodeEvents, events as messageEvents } from '../formats/anthropic/message-frames.fixture.ts';
import { messages } from '../formats/anthropic/messages.ts';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import { encodeFrames, usageData } from '../formats/openai/chat-frames.fixture.ts';
import { chunks, encodeChunks } from '../formats/google/generation-chunks.fixture.ts';
import { streamGenerateContent } from '../formats/google/stream-generate-content.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import { createReceived, readResponse } from '../formats/read-response.fixture.ts';
import { PLAIN_MESSAGE } from './anthropic/request-features.fixture.ts';
import { findBackendOperation } from './find-backend-operation.ts';
import { PLAIN_CONTENT } from './google/request-features.fixture.ts';
import { PLAIN_CHAT } from './openai/request-features.fixture.ts';

const sizesOf = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 20 });

interface Direction {
  readonly name: string;
  readonly operation: ModelOperation;
  readonly format: WireFormat;
  readonly body: object;
  readonly query?: string;
  readonly stream: Buffer;
  /** The bytes after which the answer counts as complete. */
  readonly completeAt: number;
}

/** The fixture has a call whose arguments are cut. */
const chatData = usageData.map((text) => text.replace('{\\"error\\":"', '{\\"error\\":1}"'));
const encodeChat = (data: readonly string[]) => Buffer.from(encodeFrames(data));
const googleStream = encodeChunks(chunks, 'sse');

const DIRECTIONS: readonly Direction[] = [
  ...(['', 'alt=sse'] as const).flatMap((query): Direction[] => [
    {
      name: `OpenAI for clients of Google (${query})`,
      operation: streamGenerateContent,
      format: 'openai',
      body: PLAIN_CONTENT,
      query,
      stream: encodeChat(chatData),
      completeAt: encodeChat(chatData.slice(0, 3)).length,
    },
    {
      name: `Anthropic for clients of Google (${query})`,
      operation: streamGenerateContent,
      format: 'anthropic',
      body: PLAIN_CONTENT,
      query,
      stream: encodeEvents(messageEvents),
      completeAt: encodeEvents(messageEvents.slice(0, -1)).length,
    },
  ]),
  {
    name: 'Google for clients of OpenAI',
    operation: chatCompletions,
    format: 'google',
    body: { ...PLAIN_CHAT, stream: true, stream_options: { include_usage: true } },
    stream: googleStream,
    completeAt: encodeChunks(chunks.slice(0, 3), 'sse').length,
  },
  {
    name: 'Google for clients of Anthropic',
    operation: messages,
    format: 'google',
    body: { ...PLAIN_MESSAGE, stream: true },
    stream: googleStream,
    completeAt: encodeChunks(chunks.slice(0, 3), 'sse').length,
  },
  {
    name: 'OpenAI for clients of Anthropic',
    operation: messages,
    format: 'openai',
    body: { ...PLAIN_MESSAGE, stream: true },
    stream: encodeChat(chatData),
    completeAt: encodeChat(chatData.slice(0, 3)).length,
  },
  {
    name: 'Anthropic for clients of OpenAI',
    operation: chatCompletions,
    format: 'anthropic',
    body: { ...PLAIN_CHAT, stream: true, stream_options: { include_usage: true } },
    stream: encodeEvents(messageEvents),
    completeAt: encodeEvents(messageEvents.slice(0, -1)).length,
  },
];

/** The texts of times differ between two runs. */
const withoutTime = (text: string): string => text.replaceAll(/"created":\d+/g, '"created":0');

describe.each(DIRECTIONS)('a stream of $name', ({ operation, format, body, query, stream, completeAt }) => {
  const request = operation.readRequest({ ...createReceived(body, query), pathModel: 'm' });
  const found = findBackendOperation(operation, request, format, 'm');
  if (found === undefined) throw new Error('there is no translation');
  const read = (sizes?: readonly number[]) => {
    const { text, report } = readResponse(found.operation, found.request, stream, sizes);
    return { text: withoutTime(text), report };
  };

  it('is the same for all chunks of the provider', () => {
    const whole = read();
    expect(whole.report.isComplete).toBe(true);
    fc.assert(
      fc.property(sizesOf, (sizes) => {
        expect(read(sizes).text).toBe(whole.text);
      }),
      { seed, numRuns: 100 * effort },
    );
  });

  it('ends with an error wherever the provider ends it early', () => {
    fc.assert(
      fc.property(fc.nat(completeAt), (length) => {
        expect(() => readResponse(found.operation, found.request, stream.subarray(0, length))).toThrow(
          expect.objectContaining({ failure: 'provider_error' }),
        );
      }),
      { seed, numRuns: 50 * effort },
    );
  });
});
