import { describe, expect, it } from '@jest/globals';
import { encodeChunk } from '@gatehouse/testing/amazon-event-stream';
import type { IncomingHttpHeaders } from 'node:http';
import { countMessageTokens } from '../../../formats/anthropic/count-tokens.ts';
import { messages } from '../../../formats/anthropic/messages.ts';
import type { ModelOperation } from '../../../formats/operation.ts';
import { chatCompletions } from '../../../formats/openai/chat-completions.ts';
import { createReceived } from '../../../formats/read-response.fixture.ts';
import type { BodyReceiver, ProviderResponse } from '../../provider-request.ts';
import type { ProviderCall } from '../provider-platform.ts';
import { convertBedrockResponse } from './bedrock-response.ts';

const ID = '8a2f3f0c-2f5c-4b7e-9d3f-0c2f5c4b7e9d';

/** A response of Bedrock whose parts a test sends, and what the gateway receives of it. */
function open(operation: ModelOperation, status: number, headers: IncomingHttpHeaders) {
  const log: string[] = [];
  let receiver: BodyReceiver | undefined;
  const response: ProviderResponse = {
    status,
    headers: { 'x-amzn-requestid': ID, 'content-length': '9', ...headers },
    receive: (next) => (receiver = next),
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    abort: (error) => {
      log.push('abort');
      receiver?.onError(error);
    },
  };
  const request = operation.readRequest(createReceived({ model: 'm', messages: [], stream: true }));
  const converted = convertBedrockResponse(response, { operation, request } as unknown as ProviderCall);
  converted.receive({
    onData: (chunk) => log.push(`data ${chunk.toString()}`),
    onEnd: () => log.push('end'),
    onError: (error) => log.push(`error ${error.message}`),
  });
  return { converted, log, send: (text: string | Buffer) => receiver!.onData(Buffer.from(text)), receiver: receiver! };
}

/** The status and the error of a converted response. */
function convertError(operation: ModelOperation, status: number, code: string | undefined, body: string) {
  const { converted, log, send, receiver } = open(
    operation,
    status,
    code === undefined ? {} : { 'x-amzn-errortype': code },
  );
  send(body.slice(0, 5));
  send(body.slice(5));
  receiver.onEnd();
  expect(log[1]).toBe('end');
  return { status: converted.status, headers: converted.headers, error: JSON.parse((log[0] ?? '').slice(5)) as object };
}

describe('an error of Bedrock', () => {
  it.each([
    [429, 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/', 429, 'rate_limit_error'],
    [400, 'ValidationException', 400, 'invalid_request_error'],
    [403, 'com.amazon.coral.service#AccessDeniedException:http://x', 403, 'permission_error'],
    [403, 'InvalidSignatureException', 401, 'authentication_error'],
    [403, 'ExpiredTokenException', 401, 'authentication_error'],
    [404, 'ResourceNotFoundException', 404, 'not_found_error'],
    [400, 'ServiceQuotaExceededException', 429, 'rate_limit_error'],
    [408, 'ModelTimeoutException', 504, 'timeout_error'],
    [424, 'ModelErrorException', 502, 'api_error'],
    [429, 'ModelNotReadyException', 529, 'overloaded_error'],
    [500, 'InternalServerException', 502, 'api_error'],
    [503, 'ServiceUnavailableException', 529, 'overloaded_error'],
    [409, 'NewException', 409, 'invalid_request_error'],
    [418, undefined, 418, 'invalid_request_error'],
    [599, undefined, 599, 'api_error'],
  ] as const)('%i %s becomes %i %s', (received, code, status, type) => {
    expect(convertError(messages, received, code, '{"message":"because"}')).toMatchObject({
      status,
      error: { type: 'error', error: { type, message: 'because' }, request_id: ID },
    });
  });

  it('has the shape of OpenAI for the compatible endpoint', () => {
    const { status, error } = convertError(chatCompletions, 429, 'ThrottlingException', '{"Message":"slow"}');
    expect([status, error]).toEqual([
      429,
      { error: { message: 'slow', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
    ]);
  });

  it('stays unchanged in the shape of a vendor', () => {
    const error = { error: { message: 'm', type: 't' } };
    expect(convertError(chatCompletions, 400, undefined, JSON.stringify(error))).toMatchObject({ status: 400, error });
  });

  it.each(['', 'no JSON', '[]', '{"message":3}'])('without a message says the status: %j', (body) => {
    expect(convertError(messages, 500, undefined, body).error).toMatchObject({
      error: { message: 'The provider answered 500.' },
    });
  });

  it('keeps the wait that Bedrock asks for, and names the request', () => {
    const { converted } = open(messages, 429, { 'retry-after': '3' });
    expect(converted.headers).toMatchObject({ 'retry-after': '3', 'request-id': ID });
    expect(converted.headers).not.toHaveProperty('content-length');
  });

  it('is cut when its body is too large', () => {
    const { log, send, receiver } = open(messages, 400, {});
    for (let at = 0; at < 3; at += 1) send('x'.repeat(600_000));
    receiver.onEnd();
    expect(log).toEqual(['error The provider sent a response that is too large.', 'abort']);
  });
});

describe('a response of Bedrock', () => {
  it('passes unchanged as JSON', () => {
    const { converted, log, send, receiver } = open(messages, 200, { 'content-type': 'application/json' });
    send('{"a":1}');
    receiver.onEnd();
    expect([converted.headers['content-length'], log]).toEqual(['9', ['data {"a":1}', 'end']]);
  });

  it('has a count of tokens in the form of the vendor', () => {
    const { log, send, receiver } = open(countMessageTokens, 200, { 'content-type': 'application/json' });
    send('{"inputTokens":12}');
    receiver.onEnd();
    expect(log).toEqual(['data {"input_tokens":12}', 'end']);
  });

  const FRAMES = { 'content-type': 'application/vnd.amazon.eventstream' };

  it('has events in place of frames, and passes the pace of the client on', () => {
    const { converted, log, send, receiver } = open(messages, 200, FRAMES);
    converted.pause();
    converted.resume();
    const chunk = encodeChunk('{"type":"ping"}');
    send(chunk.subarray(0, 20));
    send(chunk.subarray(20));
    receiver.onEnd();
    expect(log).toEqual(['pause', 'resume', 'data event: ping\ndata: {"type":"ping"}\n\n', 'end']);
    expect(converted.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'request-id': ID });
    expect(converted.headers).not.toHaveProperty('content-length');
  });

  it.each<[string, (parts: ReturnType<typeof open>) => void, string[]]>([
    ['that is cut', ({ receiver }) => receiver.onError(new Error('reset')), ['error reset']],
    [
      'that ends within a frame',
      ({ send, receiver }) => {
        send(encodeChunk('{"type":"ping"}').subarray(0, 30));
        receiver.onEnd();
      },
      ['error The provider ended its response early.', 'abort'],
    ],
    [
      'with a broken frame',
      ({ send, receiver }) => {
        send(Buffer.alloc(20));
        send('more');
        receiver.onEnd();
      },
      ['error The provider sent a frame that is too large or malformed.', 'abort'],
    ],
    [
      'with a broken event',
      ({ send, receiver }) => {
        send(encodeChunk('{'));
        receiver.onEnd();
      },
      ['error The provider sent a response that cannot be read.', 'abort'],
    ],
  ])('ends once: a stream %s', (_, play, log) => {
    const parts = open(messages, 200, FRAMES);
    play(parts);
    expect(parts.log).toEqual(log);
  });
});
