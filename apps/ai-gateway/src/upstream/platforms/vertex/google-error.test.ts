import { describe, expect, it } from '@jest/globals';
import { convertGoogleError } from './google-error.ts';

const QUOTA = { code: 429, message: 'Quota exceeded for claude.', status: 'RESOURCE_EXHAUSTED', details: [{}] };
const convert = (format: 'openai' | 'anthropic' | 'google', status: number, body: unknown): unknown => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const converted = convertGoogleError(format, status, Buffer.from(text)).toString();
  return converted === text ? 'unchanged' : JSON.parse(converted);
};

describe('an error of the front end of Google', () => {
  it.each([[[{ error: QUOTA }]], [{ error: QUOTA }]])('has the form of the format of the client: %j', (body) => {
    expect(convert('openai', 429, body)).toEqual({
      error: { message: QUOTA.message, type: 'RESOURCE_EXHAUSTED', param: null, code: null },
    });
    expect(convert('anthropic', 429, body)).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: QUOTA.message },
    });
    expect(convert('anthropic', 503, body)).toMatchObject({ error: { type: 'api_error' } });
    expect(convert('google', 429, body)).toBe('unchanged');
  });

  it.each([
    { type: 'error', error: { type: 'invalid_request_error', message: 'a' }, request_id: 'req_vrtx_1' },
    { error: { message: 'a', type: 'b', code: null } },
    { error: 'a' },
    [],
    [[{ error: QUOTA }]],
    null,
    '',
    '{"error":',
    '<html>502</html>',
  ])('is no other body: %j', (body) => {
    for (const format of ['openai', 'anthropic'] as const) expect(convert(format, 400, body)).toBe('unchanged');
  });
});
