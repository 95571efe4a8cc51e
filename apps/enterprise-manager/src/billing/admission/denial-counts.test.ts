import { describe, expect, it } from '@jest/globals';
import { type DeniedAdmission, DenialCounts } from './denial-counts.ts';

const AT = new Date('2026-11-20T10:00:30.500Z');
const DENIED: DeniedAdmission = {
  kind: 'request',
  reason: 'budget_exhausted',
  gateway_id: 'local-ai',
  auth_subject: 'ada',
  virtual_key_id: undefined,
  provider: 'openai',
  model: 'gpt-5',
};

describe('DenialCounts', () => {
  it('counts by minute, user, reason and model', () => {
    const counts = new DenialCounts(10);
    for (const [change, at] of [
      [{}, AT],
      [{}, new Date('2026-11-20T10:00:59.999Z')],
      [{ model: 'gpt-5-mini' }, AT],
      [{ reason: 'unpriceable' }, AT],
      [{ auth_subject: 'bob' }, AT],
      [{}, new Date('2026-11-20T10:01:00.000Z')],
    ] as const)
      counts.add({ ...DENIED, ...change }, at);
    const rows = counts.drain();
    expect(rows.map(({ denial_count }) => denial_count)).toEqual([2, 1, 1, 1, 1]);
    expect(rows[0]).toMatchObject({
      event_time: '2026-11-20T10:00:00.000Z',
      last_denied_at: '2026-11-20T10:00:59.999Z',
      auth_subject: 'ada',
      virtual_key_id: '',
    });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5);
    expect(counts.drain()).toEqual([]);
  });

  it('derives the same id on every replica', () => {
    const ids = [1, 2].map(() => {
      const counts = new DenialCounts(10);
      counts.add(DENIED, AT);
      return counts.drain()[0]?.id;
    });
    expect(ids[0]).toBe(ids[1]);
  });

  it('limits the number of rows and counts every denial', () => {
    const counts = new DenialCounts(10);
    let total = 0;
    for (let n = 0; n < 1_000; n += 1) {
      counts.add({ ...DENIED, model: `invented ${n}` }, AT);
      if (n % 100 === 0) total += counts.drain().reduce((sum, row) => sum + row.denial_count, 0);
    }
    const rows = counts.drain();
    expect(rows.length).toBeLessThanOrEqual(11);
    expect(total + rows.reduce((sum, row) => sum + row.denial_count, 0)).toBe(1_000);
    expect(rows.at(-1)).toMatchObject({ auth_subject: '(others)', model: '(others)', reason: 'budget_exhausted' });
    counts.restore(rows);
    expect(counts.drain()).toEqual(rows);
  });

  it('truncates long texts', () => {
    const counts = new DenialCounts(10);
    counts.add({ ...DENIED, auth_subject: 'x'.repeat(3_000) }, AT);
    expect(counts.drain()[0]?.auth_subject).toHaveLength(512);
  });
});
