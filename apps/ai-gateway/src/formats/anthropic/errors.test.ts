import { describe, expect, it } from '@jest/globals';
import { ModelCallError, type ModelCallFailure } from '../model-call-error.ts';
import { anthropicErrors } from './errors.ts';

const request = { received: { bytes: new Uint8Array(), body: {}, query: new URLSearchParams() } };
const stream = { ...request, model: 'm', isStream: true, estimate: { promptTokens: 1 }, members: new Map() };

describe('anthropicErrors', () => {
  it.each<[ModelCallFailure, number, string]>([
    ['invalid_request', 400, 'invalid_request_error'],
    ['unauthenticated', 401, 'authentication_error'],
    ['denied', 403, 'permission_error'],
    ['not_found', 404, 'not_found_error'],
    ['method_not_allowed', 405, 'invalid_request_error'],
    ['request_too_large', 413, 'request_too_large'],
    ['request_timeout', 408, 'timeout_error'],
    ['rate_limited', 429, 'rate_limit_error'],
    ['budget_exceeded', 402, 'billing_error'],
    ['unavailable', 529, 'overloaded_error'],
    ['provider_error', 502, 'api_error'],
    ['provider_timeout', 504, 'timeout_error'],
    ['internal', 500, 'api_error'],
  ])('writes %s with the status %d and the type %s', (failure, status, type) => {
    const written = anthropicErrors.writeError(new ModelCallError(failure, 'A sentence.'), 'req_1');
    expect(written).toMatchObject({
      status,
      headers: { 'content-type': 'application/json', 'request-id': 'req_1' },
    });
    expect(JSON.parse(written.body)).toEqual({
      type: 'error',
      error: { type, message: 'A sentence.' },
      request_id: 'req_1',
    });
  });

  it('names the whole seconds until another try can succeed', () => {
    const error = new ModelCallError('rate_limited', 'Too many requests.', { retryAfterMs: 1_200 });
    expect(anthropicErrors.writeError(error, 'req_1').headers).toMatchObject({ 'retry-after': '2' });
  });

  it('asks clients not to repeat a request without a budget', () => {
    const error = new ModelCallError('budget_exceeded', 'The budget is used up.');
    expect(anthropicErrors.writeError(error, 'req_1').headers).toMatchObject({ 'x-should-retry': 'false' });
  });

  it('ends a stream with an event of its own, also within an unfinished event', () => {
    const error = new ModelCallError('provider_timeout', 'The provider is silent.');
    const event = anthropicErrors.writeStreamError(error, stream);
    expect(event).toBe(
      '\n\nevent: error\ndata: {"type":"error","error":{"type":"timeout_error","message":"The provider is silent."}}\n\n',
    );
  });
});
