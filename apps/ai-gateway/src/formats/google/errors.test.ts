import { describe, expect, it } from '@jest/globals';
import { ModelCallError, type ModelCallFailure } from '../model-call-error.ts';
import { googleErrors } from './errors.ts';

const createStream = (query: string) => ({
  received: { bytes: new Uint8Array(), body: {}, query: new URLSearchParams(query) },
  model: 'm',
  isStream: true,
  estimate: { promptTokens: 1 },
  members: new Map(),
});

describe('googleErrors', () => {
  it.each<[ModelCallFailure, number, string]>([
    ['invalid_request', 400, 'INVALID_ARGUMENT'],
    ['unauthenticated', 401, 'UNAUTHENTICATED'],
    ['denied', 403, 'PERMISSION_DENIED'],
    ['not_found', 404, 'NOT_FOUND'],
    ['method_not_allowed', 405, 'UNIMPLEMENTED'],
    ['request_too_large', 413, 'INVALID_ARGUMENT'],
    ['request_timeout', 408, 'DEADLINE_EXCEEDED'],
    ['rate_limited', 429, 'RESOURCE_EXHAUSTED'],
    ['budget_exceeded', 429, 'RESOURCE_EXHAUSTED'],
    ['unavailable', 503, 'UNAVAILABLE'],
    ['provider_error', 502, 'UNAVAILABLE'],
    ['provider_timeout', 504, 'DEADLINE_EXCEEDED'],
    ['internal', 500, 'INTERNAL'],
  ])('writes %s with the code %d and the status %s', (failure, code, status) => {
    const written = googleErrors.writeError(new ModelCallError(failure, 'A sentence.'), 'id');
    expect(written).toMatchObject({ status: code, headers: { 'content-type': 'application/json; charset=UTF-8' } });
    expect(JSON.parse(written.body)).toMatchObject({ error: { code, status, message: 'A sentence.' } });
  });

  it('names the field of a malformed request', () => {
    const error = new ModelCallError('invalid_request', 'model: must be a text', { field: 'model' });
    expect(JSON.parse(googleErrors.writeError(error, 'id').body)).toMatchObject({
      error: {
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'model', description: 'model: must be a text' }],
          },
        ],
      },
    });
  });

  it('names the whole seconds until another try can succeed', () => {
    const error = new ModelCallError('rate_limited', 'Too many requests.', { retryAfterMs: 1_200 });
    const { headers, body } = googleErrors.writeError(error, 'id');
    expect(headers).toMatchObject({ 'retry-after': '2' });
    expect(JSON.parse(body)).toMatchObject({
      error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' }] },
    });
  });

  it('gives an exhausted budget a delay that Gemini CLI does not wait for', () => {
    const error = new ModelCallError('budget_exceeded', 'The budget is used up.');
    expect(JSON.parse(googleErrors.writeError(error, 'id').body)).toMatchObject({
      error: {
        details: [
          { violations: [{ subject: 'budget', description: 'The budget is used up.' }] },
          { retryDelay: '3600s' },
        ],
      },
    });
  });

  it('ends a stream in the form that the client asked for', () => {
    const error = new ModelCallError('internal', 'It failed.');
    const body = '{"error":{"code":500,"status":"INTERNAL","message":"It failed."}}';
    expect(googleErrors.writeStreamError(error, createStream('alt=sse'))).toBe(`\n\ndata: ${body}\n\n`);
    expect(`[{}${googleErrors.writeStreamError(error, createStream(''))}`).toBe(`[{}\n,\n${body}\n]`);
  });
});
