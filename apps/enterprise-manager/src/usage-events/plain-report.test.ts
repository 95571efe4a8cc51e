import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPlainReport } from './plain-report.ts';
import { UsageReport } from './usage-report.ts';

const REPORT = {
  interaction_id: 'call 1',
  attempt: 1,
  reservation_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  event_time: '2026-01-31T09:00:00.000Z',
  gateway_id: 'gateway',
  principal: { issuer: 'https://issuer.test', subject: 'ada' },
  provider: 'openai',
  route: '/v1/chat/completions',
  requested_model: 'gpt',
  model: 'gpt',
  outcome: 'delivered',
  upstream_status: 200,
  duration_ms: 12,
  raw_usage: { prompt_tokens: 1 },
  estimated_usage: null,
};

/** Values near the border of what some member may be. */
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, {}, [], '', ' ', 'ä', '\n', '\u007f', '𝄞', 'delivered', 'upstream_error'),
  fc.constantFrom<unknown>(0, -0, 1, -1, 1.5, 999, 1_000, 1e9, 1e9 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e300),
  fc.constantFrom<unknown>('1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'),
  fc.constantFrom<unknown>('2026-02-30T00:00:00.000Z', '2026-01-31T24:00:00.000Z', '2026-01-31T09:00:00+01:00', 'x'),
  fc.constantFrom<unknown>('+012026-01-31T09:00:00Z', '2026-01-31t09:00:00.000z', 'Sat, 31 Jan 2026 09:00 Z'),
  fc.constantFrom<unknown>('01890A5D-AC96-774B-BCCE-B302099A8057', '01890a5d-ac96-774b-bcce-b302099a8057'),
  fc.constantFrom<unknown>(
    { virtual_key_id: 'k' },
    { issuer: 'i' },
    { issuer: 'i', subject: 's', virtual_key_id: 'k' },
  ),
  fc.constantFrom(64, 65, 255, 256, 257, 512, 513, 2_048, 2_049).map((length): unknown => 'a'.repeat(length)),
  fc.constantFrom(64, 65, 255, 256, 2_049).map((length): unknown => ({ issuer: 'i', subject: 'a'.repeat(length) })),
  fc.constantFrom(64, 65).map((length): unknown => ({ virtual_key_id: 'a'.repeat(length) })),
  fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
);
const member = fc.constantFrom(...Object.keys(REPORT), 'more');

describe('a report that is taken at once', () => {
  it('is the usual one, with and without what may be missing', () => {
    expect(isPlainReport(REPORT)).toBe(true);
    const { reservation_id: _reservation, estimated_usage: _estimate, ...less } = REPORT;
    expect(isPlainReport(less)).toBe(true);
    expect(isPlainReport({ ...REPORT, principal: { virtual_key_id: 'key' } })).toBe(true);
  });

  it('is one that the schema takes as it is', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(member, value), { maxLength: 2 }),
        fc.array(member, { maxLength: 1 }),
        (others, without) => {
          const members = { ...REPORT, ...Object.fromEntries(others) };
          const item = Object.fromEntries(Object.entries(members).filter(([name]) => !without.includes(name)));
          if (!isPlainReport(item)) return;
          taken += 1;
          expect(UsageReport.safeParse(item)).toEqual({ success: true, data: item });
        },
      ),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('is no item that is no object', () => {
    for (const item of [null, undefined, 1, 'report', [], [REPORT]]) expect(isPlainReport(item)).toBe(false);
  });
});
