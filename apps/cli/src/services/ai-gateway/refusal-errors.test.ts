import { describe, expect, it } from '@jest/globals';
import { createRefusalError, type Operation } from './refusal-errors.ts';
import { readRefusal } from './refusal.ts';

const SOURCES = {
  ...{ url: 'https://mgmt.test', urlSource: '--management-url', manager: 'https://manager.test' },
  tokenSource: undefined,
};
const OPERATION: Operation = {
  roles: 'admin',
  policy: 'team',
  missing: { sentence: 'There is no AI policy "team"', list: 'gatehouse admin ai-policies list' },
};

/** The error for an answer with a machine code. */
const createError = (
  status: number,
  code: string | undefined,
  violations: unknown = [],
  operation: Operation = OPERATION,
  headers: Record<string, string> = {},
) => {
  const response = new Response(null, { status, headers });
  const body = code === undefined ? '<html>' : { error: code, requestId: 'r-1', violations };
  return createRefusalError(SOURCES, readRefusal(response, body), operation);
};

describe('the error of a refusal', () => {
  it.each([
    [400, 'invalid_request', 'usage', 'does not accept the request (HTTP 400, invalid_request)'],
    [401, 'unauthenticated', 'failed', 'https://mgmt.test does not accept the access token'],
    [403, 'forbidden', 'refused', 'requires an active user with the role admin'],
    [404, 'not_found', 'failed', 'There is no AI policy "team"'],
    [409, 'already_exists', 'conflict', 'There is already an AI policy "team"'],
    [412, 'precondition_failed', 'conflict', 'was changed in the meantime; your request changed nothing'],
    [422, 'immutable_field', 'usage', 'cannot be changed after the creation'],
    [422, 'validation_failed', 'usage', 'The AI policy is not valid'],
    [400, 'invalid_label_selector', 'usage', '--label is not a label selector'],
    [400, 'invalid_page_token', 'failed', 'The list changed while it was read'],
    [428, 'precondition_required', 'usage', 'HTTP 428, precondition_required'],
    [429, 'rate_limited', 'failed', 'too many requests'],
    [500, 'internal', 'failed', 'https://mgmt.test failed unexpectedly (request id r-1)'],
    [503, 'upstream_unavailable', 'failed', 'https://mgmt.test cannot serve requests now (request id r-1)'],
    [502, undefined, 'failed', 'https://mgmt.test failed unexpectedly'],
    [404, undefined, 'failed', 'https://mgmt.test does not answer like AI gateway management (HTTP 404)'],
    [400, undefined, 'failed', 'https://mgmt.test does not answer like AI gateway management (HTTP 400)'],
  ])('%d %s: %s', (status, code, kind, sentence) => {
    const error = createError(status, code);
    expect(error.code).toBe(kind);
    expect(error.message).toContain(sentence);
  });

  it('shows each violation in its own line, with the line of the file', () => {
    const violations = [
      { field: '/spec/principalMatchers/0/claims', message: 'must have at least 1 member' },
      { field: '/spec/budgets/0/models/0', message: 'must match a pattern' },
      { field: '', message: 'has no field' },
      { field: 1 },
    ];
    const operation = {
      ...OPERATION,
      flags: { '/spec/budgets': '--grant' },
      findLine: (pointer: string) => (pointer.startsWith('/spec/principal') ? 7 : undefined),
    };
    expect(createError(422, 'validation_failed', violations, operation).message.split('\n')).toEqual([
      'The AI policy is not valid:',
      '  line 7: spec.principalMatchers[0].claims: must have at least 1 member',
      '  --grant (spec.budgets[0].models[0]): must match a pattern',
      '  has no field',
    ]);
  });

  it('names the time of another attempt', () => {
    expect(createError(429, 'rate_limited', [], OPERATION, { 'retry-after': '7' }).tryNext).toEqual([
      'try again in 7 s',
    ]);
    expect(createError(503, 'upstream_unavailable', [], OPERATION, { 'retry-after': 'soon' }).tryNext[0]).toBe(
      'try again',
    );
  });

  it('has the request id for --debug', () => {
    expect(String(createError(422, 'validation_failed').cause)).toContain(
      'HTTP 422 (validation_failed), request id r-1',
    );
  });
});
