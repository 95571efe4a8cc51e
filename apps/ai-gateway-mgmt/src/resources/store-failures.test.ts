import { describe, expect, it } from '@jest/globals';
import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { toHttpError } from './store-failures.ts';

describe('toHttpError', () => {
  it.each([
    ['not_found', 404, 'not_found'],
    ['already_exists', 409, 'already_exists'],
    ['conflict', 412, 'precondition_failed'],
    ['invalid', 422, 'validation_failed'],
    ['expired', 400, 'invalid_page_token'],
    ['invalid_selector', 400, 'invalid_label_selector'],
    ['rate_limited', 429, 'rate_limited'],
    ['unavailable', 503, 'upstream_unavailable'],
  ] as const)('answers %s with %i and the code %s', (code, status, machineCode) => {
    expect(toHttpError(new ResourceStoreError(code, 'a reason'))).toMatchObject({ status, code: machineCode });
  });

  it('keeps the violations of an invalid resource', () => {
    const violations = [{ field: '/spec/budgets', message: 'must be a list' }];
    const error = toHttpError(new ResourceStoreError('invalid', 'a reason', { violations }));
    expect(error).toMatchObject({ status: 422, violations });
  });

  it('shows the reason of an unavailable store, and when to try again', () => {
    const error = toHttpError(new ResourceStoreError('unavailable', 'a reason', { retryAfterMs: 5_000 }));
    expect(error).toMatchObject({ violations: [{ field: '', message: 'a reason' }], retryAfterMs: 5_000 });
  });

  it('leaves other errors alone', () => {
    expect(toHttpError(new Error('other'))).toBeUndefined();
  });
});
