import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ModelCallError, type ModelCallFailure } from '../model-call-error.ts';
import { encodeFrames, plainData } from './chat-frames.fixture.ts';
import { openAiErrors } from './errors.ts';

/** Calls the stock SDK with a server that always answers like this. */
async function call(response: () => Response, stream = false) {
  let requests = 0;
  const client = new OpenAI({
    apiKey: 'key',
    baseURL: 'http://gateway.test/v1',
    maxRetries: 1,
    logLevel: 'off',
    fetch: () => {
      requests += 1;
      return Promise.resolve(response());
    },
  });
  const thrown: unknown = await client.chat.completions
    .create({ model: 'm', messages: [], stream })
    .then(async (answer) => {
      const chunks: unknown[] = [];
      if (Symbol.asyncIterator in answer) for await (const chunk of answer) chunks.push(chunk);
    })
    .catch((error: unknown) => error);
  return { thrown, requests };
}

const refuse = (failure: ModelCallFailure, field?: string) => () => {
  const error = new ModelCallError(failure, 'A message for the caller.', { field, retryAfterMs: 1 });
  const { status, headers, body } = openAiErrors.writeError(error, 'req-7');
  return new Response(body, { status, headers: { ...headers, 'retry-after-ms': '1' } });
};

describe('the npm package openai', () => {
  it.each<[ModelCallFailure, abstract new (...args: never[]) => Error, number, string | null]>([
    ['invalid_request', OpenAI.BadRequestError, 1, null],
    ['unauthenticated', OpenAI.AuthenticationError, 1, 'invalid_api_key'],
    ['denied', OpenAI.PermissionDeniedError, 1, 'permission_denied'],
    ['not_found', OpenAI.NotFoundError, 1, 'model_not_found'],
    ['budget_exceeded', OpenAI.RateLimitError, 1, 'insufficient_quota'],
    ['rate_limited', OpenAI.RateLimitError, 2, 'rate_limit_exceeded'],
    ['unavailable', OpenAI.InternalServerError, 2, 'service_unavailable'],
    ['provider_timeout', OpenAI.InternalServerError, 2, 'provider_timeout'],
  ])('raises its error for %s and retries only where that helps', async (failure, type, requests, code) => {
    const { thrown, requests: made } = await call(refuse(failure, 'model'));
    expect(thrown).toBeInstanceOf(type);
    expect(thrown).toMatchObject({ code, param: 'model', requestID: 'req-7' });
    expect((thrown as Error).message).toContain('A message for the caller.');
    expect(made).toBe(requests);
  });

  const readStream = (rest: string) => {
    const error = new ModelCallError('provider_error', 'The provider ended its response early.');
    const event = openAiErrors.writeStreamError(error, undefined as never);
    const stream = Buffer.concat([encodeFrames(plainData.slice(0, 1)), Buffer.from(rest + event)]);
    return call(() => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }), true);
  };

  it.each(['', `data: ${plainData[1]}`, ': comment'])('raises the error that ends a stream after %j', async (rest) => {
    expect((await readStream(rest)).thrown).toMatchObject({ message: 'The provider ended its response early.' });
  });

  it('raises an error for a stream that ends in the middle of an event', async () => {
    expect((await readStream('data: {"id":')).thrown).toBeInstanceOf(Error);
  });
});
