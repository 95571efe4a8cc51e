import Anthropic from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import { describe, expect, it } from '@jest/globals';
import { encodeEvents, events } from './anthropic/message-frames.fixture.ts';
import { anthropicErrors } from './anthropic/errors.ts';
import { messages } from './anthropic/messages.ts';
import type { ErrorResponse } from './error-response.ts';
import { googleErrors } from './google/errors.ts';
import { chunks, encodeChunks } from './google/generation-chunks.fixture.ts';
import { streamGenerateContent } from './google/stream-generate-content.ts';
import { ModelCallError, type ModelCallFailure } from './model-call-error.ts';
import { createReceived } from './read-response.fixture.ts';

type ErrorClass = abstract new (...values: never[]) => Error;

const FAILURES: Readonly<Record<ModelCallFailure, ErrorClass>> = {
  invalid_request: Anthropic.BadRequestError,
  untranslatable: Anthropic.UnprocessableEntityError,
  unauthenticated: Anthropic.AuthenticationError,
  denied: Anthropic.PermissionDeniedError,
  not_found: Anthropic.NotFoundError,
  method_not_allowed: Anthropic.APIError,
  request_too_large: Anthropic.ContentTooLargeError,
  request_timeout: Anthropic.RequestTimeoutError,
  rate_limited: Anthropic.RateLimitError,
  budget_exceeded: Anthropic.PaymentRequiredError,
  unavailable: Anthropic.OverloadedError,
  provider_error: Anthropic.InternalServerError,
  provider_timeout: Anthropic.GatewayTimeoutError,
  internal: Anthropic.InternalServerError,
};
const failures = Object.entries(FAILURES) as [ModelCallFailure, ErrorClass][];

/** Answers every request with the same response, and counts the requests. */
function answer(status: number, headers: Readonly<Record<string, string>>, body: string) {
  const counted = { requests: 0, fetch: () => Promise.resolve(respond()) };
  const respond = () => {
    counted.requests += 1;
    return new Response(body, { status, headers });
  };
  return counted;
}
const answerError = ({ status, headers, body }: ErrorResponse) => answer(status, headers, body);
const answerStream = (body: string) => answer(200, { 'content-type': 'text/event-stream' }, body);

async function catchError(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  return undefined;
}

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  const parts = stream[Symbol.asyncIterator]();
  while ((await parts.next()).done !== true);
}

describe('the SDK of Anthropic', () => {
  const params: Anthropic.MessageCreateParamsNonStreaming = {
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'Hello' }],
  };
  const create = (fetch: () => Promise<Response>, maxRetries = 0) =>
    new Anthropic({ apiKey: 'key', maxRetries, fetch }).messages;

  it.each(failures)('shows the message of %s', async (failure, type) => {
    const { fetch } = answerError(anthropicErrors.writeError(new ModelCallError(failure, 'A sentence.'), 'req_1'));
    const error = await catchError(create(fetch).create(params));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ message: expect.stringContaining('A sentence.'), requestID: 'req_1' });
  });

  it('does not repeat a request without a budget', async () => {
    const counted = answerError(
      anthropicErrors.writeError(new ModelCallError('budget_exceeded', 'The budget is used up.'), 'req_1'),
    );
    await catchError(create(counted.fetch, 3).create(params));
    expect(counted.requests).toBe(1);
  });

  it('shows the error that ends a stream', async () => {
    const body = { ...params, stream: true } as const;
    const request = messages.readRequest(createReceived(body));
    const end = anthropicErrors.writeStreamError(new ModelCallError('provider_timeout', 'It is silent.'), request);
    const { fetch } = answerStream(encodeEvents(events.slice(0, 5)).toString() + end);
    const stream = await create(fetch).create(body);
    const error = await catchError(readAll(stream));
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ message: expect.stringContaining('It is silent.'), type: 'timeout_error' });
  });
});

describe('the SDK of Google', () => {
  const params = { model: 'm', contents: 'Hello' };
  const create = (fetch: () => Promise<Response>) => new GoogleGenAI({ apiKey: 'key', httpOptions: { fetch } }).models;

  it.each(failures)('shows the message of %s', async (failure) => {
    const written = googleErrors.writeError(new ModelCallError(failure, 'A sentence.'), 'id');
    const error = await catchError(create(answerError(written).fetch).generateContent(params));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: expect.stringContaining('A sentence.'), status: written.status });
  });

  it('shows the error that ends a stream', async () => {
    const request = streamGenerateContent.readRequest({ ...createReceived({}, 'alt=sse'), pathModel: 'm' });
    const end = googleErrors.writeStreamError(new ModelCallError('provider_timeout', 'It is silent.'), request);
    const { fetch } = answerStream(encodeChunks(chunks.slice(0, 2), 'sse').toString() + end);
    const error = await catchError(readAll(await create(fetch).generateContentStream(params)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: expect.stringContaining('It is silent.'), status: 504 });
  });
});
