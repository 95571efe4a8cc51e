import { describe, expect, it } from '@jest/globals';
import { category } from '../records/metering.dto.ts';
import { ToolCallRecord } from '../records/tool-call-record.ts';
import { contradictionOf, untimelinessOf } from './tool-call-rules.ts';

const judged = (facts: Record<string, unknown>) =>
  contradictionOf(
    ToolCallRecord.parse({
      call_id: '01990000-0000-7000-8000-000000000000',
      occurred_at: '2026-01-01T00:00:00Z',
      tool_name: 'echo',
      decision: 'allowed',
      outcome: 'ok',
      ...facts,
    }),
  );

describe('a record of a tool call', () => {
  it('is billable only when it reached an upstream, again or for the first time, or was imported', () => {
    const billable = category().options.filter(
      (one) =>
        judged({ category: one, billable: true, decision: one === 'denied' ? 'denied' : 'allowed' }) === undefined,
    );
    expect(billable.sort()).toEqual(['allowed', 'customer_retry', 'invocation']);
    for (const one of category().options)
      expect(
        judged({ category: one, billable: false, decision: one === 'denied' ? 'denied' : 'allowed' }),
      ).toBeUndefined();
  });

  it('does not contradict its decision', () => {
    expect(judged({ category: 'denied', billable: false })).toMatch(/^category/);
    expect(judged({ category: 'invocation', billable: false, decision: 'denied' })).toMatch(/^category/);
    expect(judged({ category: 'support', billable: false, decision: 'denied' })).toBeUndefined();
    expect(judged({ category: 'not_evaluated', billable: false, decision: 'unspecified' })).toBeUndefined();
  });
});

describe('the time of a tool call', () => {
  const times = { oldest: new Date('2026-01-01T00:00:00Z'), now: new Date('2026-06-01T00:00:00Z') };
  const said = (occurred_at: string) => untimelinessOf({ occurred_at }, times);

  it('is from the oldest kept time until now, with five minutes for clocks that are ahead', () => {
    for (const at of ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-06-01T00:05:00Z'])
      expect([at, said(at)]).toEqual([at, undefined]);
    for (const at of ['1999-12-31T23:59:59Z', '2025-12-31T23:59:59.999Z'])
      expect(said(at)).toMatch(/^occurred_at: is older/);
    for (const at of ['2026-06-01T00:05:00.001Z', '2099-01-01T00:00:00Z'])
      expect(said(at)).toMatch(/^occurred_at: lies in the future/);
  });
});
