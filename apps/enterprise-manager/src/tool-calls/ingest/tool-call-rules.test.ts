import { describe, expect, it } from '@jest/globals';
import { category } from '../records/tool-call.dto.ts';
import { ToolCallRecord } from '../records/tool-call-record.ts';
import { checkConsistency, checkTime } from './tool-call-rules.ts';

const check = (facts: Record<string, unknown>) =>
  checkConsistency(
    ToolCallRecord.parse({
      call_id: '01990000-0000-7000-8000-000000000000',
      occurred_at: '2026-01-01T00:00:00Z',
      tool_name: 'echo',
      decision: 'allowed',
      outcome: 'ok',
      ...facts,
    }),
  );

describe('checkConsistency', () => {
  it('allows billable calls only in the categories invocation, customer_retry and allowed', () => {
    const billable = category().options.filter(
      (one) =>
        check({ category: one, billable: true, decision: one === 'denied' ? 'denied' : 'allowed' }) === undefined,
    );
    expect(billable.sort()).toEqual(['allowed', 'customer_retry', 'invocation']);
    for (const one of category().options)
      expect(
        check({ category: one, billable: false, decision: one === 'denied' ? 'denied' : 'allowed' }),
      ).toBeUndefined();
  });

  it('refuses a category that contradicts the decision', () => {
    expect(check({ category: 'denied', billable: false })).toMatch(/^category/);
    expect(check({ category: 'invocation', billable: false, decision: 'denied' })).toMatch(/^category/);
    expect(check({ category: 'support', billable: false, decision: 'denied' })).toBeUndefined();
    expect(check({ category: 'not_evaluated', billable: false, decision: 'unspecified' })).toBeUndefined();
  });
});

describe('checkTime', () => {
  const times = { oldest: new Date('2026-01-01T00:00:00Z'), now: new Date('2026-06-01T00:00:00Z') };
  const checkAt = (occurred_at: string) => checkTime({ occurred_at }, times);

  it('accepts times from the oldest stored one until now, and five minutes more for clocks that are ahead', () => {
    for (const at of ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-06-01T00:05:00Z'])
      expect([at, checkAt(at)]).toEqual([at, undefined]);
    for (const at of ['1999-12-31T23:59:59Z', '2025-12-31T23:59:59.999Z'])
      expect(checkAt(at)).toMatch(/^occurred_at: is older/);
    for (const at of ['2026-06-01T00:05:00.001Z', '2099-01-01T00:00:00Z'])
      expect(checkAt(at)).toMatch(/^occurred_at: lies in the future/);
  });
});
