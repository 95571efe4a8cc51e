import { describe, expect, it } from '@jest/globals';
import { DenialCounts, type RefusedAdmission } from './denial-counts.ts';

const AT = new Date('2026-11-20T10:00:30.500Z');
const REFUSED: RefusedAdmission = {
  kind: 'request',
  reason: 'budget_exhausted',
  gateway_id: 'local-ai',
  auth_subject: 'ada',
  virtual_key_id: undefined,
  provider: 'openai',
  model: 'gpt-5',
};

describe('the counts of refused admissions', () => {
  it('are by minute, user, reason and model', () => {
    const counts = new DenialCounts(10);
    for (const [change, at] of [
      [{}, AT],
      [{}, new Date('2026-11-20T10:00:59.999Z')],
      [{ model: 'gpt-5-mini' }, AT],
      [{ reason: 'unpriceable' }, AT],
      [{ auth_subject: 'bob' }, AT],
      [{}, new Date('2026-11-20T10:01:00.000Z')],
    ] as const)
      counts.note({ ...REFUSED, ...change }, at);
    const rows = counts.take();
    expect(rows.map(({ denial_count }) => denial_count)).toEqual([2, 1, 1, 1, 1]);
    expect(rows[0]).toMatchObject({
      event_time: '2026-11-20T10:00:00.000Z',
      last_denied_at: '2026-11-20T10:00:59.999Z',
      auth_subject: 'ada',
      virtual_key_id: '',
    });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5);
    expect(counts.take()).toEqual([]);
  });

  it('have the same id on every replica and in every flush', () => {
    const ids = [1, 2].map(() => {
      const counts = new DenialCounts(10);
      counts.note(REFUSED, AT);
      return counts.take()[0]?.id;
    });
    expect(ids[0]).toBe(ids[1]);
  });

  it('are bounded, whatever names callers make up, and lose no refusal', () => {
    const counts = new DenialCounts(10);
    let total = 0;
    for (let n = 0; n < 1_000; n += 1) {
      counts.note({ ...REFUSED, model: `made up ${n}` }, AT);
      if (n % 100 === 0) total += counts.take().reduce((sum, row) => sum + row.denial_count, 0);
    }
    const rows = counts.take();
    expect(rows.length).toBeLessThanOrEqual(11);
    expect(total + rows.reduce((sum, row) => sum + row.denial_count, 0)).toBe(1_000);
    expect(rows.at(-1)).toMatchObject({ auth_subject: '(others)', model: '(others)', reason: 'budget_exhausted' });
    counts.giveBack(rows);
    expect(counts.take()).toEqual(rows);
  });

  it('cut texts that are too long', () => {
    const counts = new DenialCounts(10);
    counts.note({ ...REFUSED, auth_subject: 'x'.repeat(3_000) }, AT);
    expect(counts.take()[0]?.auth_subject).toHaveLength(512);
  });
});
