import { describe, expect, it } from '@jest/globals';
import { ModelCallError, type ModelCallFailure } from '../model-call-error.ts';
import { openAiErrors } from './errors.ts';

const write = (...error: ConstructorParameters<typeof ModelCallError>) => {
  const { status, headers, body } = openAiErrors.writeError(new ModelCallError(...error), 'req-1');
  return { status, headers, error: (JSON.parse(body) as { error: unknown }).error };
};

describe('errors of OpenAI', () => {
  it('name the field of an invalid request', () => {
    expect(write('invalid_request', "Invalid type for 'n'.", { field: 'n' })).toEqual({
      status: 400,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req-1' },
      error: { message: "Invalid type for 'n'.", type: 'invalid_request_error', param: 'n', code: null },
    });
  });

  it.each<[ModelCallFailure, number, string | null, string | undefined]>([
    ['unauthenticated', 401, 'invalid_api_key', undefined],
    ['denied', 403, 'permission_denied', 'false'],
    ['rate_limited', 429, 'rate_limit_exceeded', undefined],
    ['budget_exceeded', 429, 'insufficient_quota', 'false'],
    ['provider_error', 502, 'provider_error', undefined],
  ])('write %s as %d %s', (failure, status, code, retry) => {
    const { headers, ...written } = write(failure, 'Message.');
    expect(written).toMatchObject({ status, error: { code, message: 'Message.' } });
    expect(headers['x-should-retry']).toBe(retry);
  });

  it('tell an unknown model from an unknown path', () => {
    expect(write('not_found', 'No model.', { field: 'model' })).toMatchObject({
      status: 404,
      error: { code: 'model_not_found' },
    });
    expect(write('not_found', 'No path.')).toMatchObject({ status: 404, error: { code: null } });
  });

  it('say when to retry, in whole seconds', () => {
    expect(write('rate_limited', 'Wait.', { retryAfterMs: 1_200 }).headers['retry-after']).toBe('2');
  });

  it('end a stream with an event that has an error', () => {
    const event = openAiErrors.writeStreamError(new ModelCallError('provider_error', 'Reset.'), undefined as never);
    expect(event).toMatch(/^\n\ndata: \{"error":\{"message":"Reset\."/);
    expect(event.endsWith('}\n\n')).toBe(true);
  });
});
