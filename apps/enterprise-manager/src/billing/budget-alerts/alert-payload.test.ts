import { describe, expect, it } from '@jest/globals';
import { type ThresholdCrossing, createPayload } from './alert-payload.ts';

const CROSSING: ThresholdCrossing = {
  alert_id: '0199c0de-0000-7000-8000-000000000001',
  sequence: 7,
  kind: 'crossing',
  scope: 'user',
  subject_id: 'alice',
  period: 'month',
  period_start: '2026-12-01',
  threshold_percent: 80,
  limit_usd: '100.000000000',
  used_usd: '80.000000001',
  reserved_usd: '0.500000000',
  created_at: '2026-12-24T18:00:00.000Z',
};

describe('createPayload', () => {
  it('contains the subject, the window and the amounts', () => {
    expect(JSON.parse(createPayload(CROSSING))).toEqual({
      type: 'budget.threshold.crossed',
      timestamp: '2026-12-24T18:00:00.000Z',
      data: {
        scope: 'user',
        subject_id: 'alice',
        period: 'month',
        period_start: '2026-12-01T00:00:00.000Z',
        period_end: '2027-01-01T00:00:00.000Z',
        limit_usd: '100.000000000',
        used_usd: '80.000000001',
        reserved_usd: '0.500000000',
        threshold_percent: 80,
        alert_id: CROSSING.alert_id,
        sequence: 7,
      },
    });
  });

  it('marks a test', () => {
    expect(JSON.parse(createPayload({ ...CROSSING, kind: 'test' }))).toMatchObject({ data: { test: true } });
  });

  it('stays below 20 kB with the longest subject in the longest form of JSON', () => {
    const subject_id = '\u0001'.repeat(1_024);
    expect(Buffer.byteLength(createPayload({ ...CROSSING, subject_id }))).toBeLessThan(20_000);
  });
});
