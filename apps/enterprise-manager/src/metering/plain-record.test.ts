import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPlainRecord } from './plain-record.ts';
import { ToolCallRecord } from './tool-call-record.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const RECORD = {
  call_id: ID,
  occurred_at: '2026-01-31T09:00:00.000Z',
  gateway_id: 'gateway',
  environment: 'production',
  connector_id: ID,
  connector_name: 'Tickets',
  tool_name: 'search',
  user_id: ID,
  user_email: 'ada@example.com',
  groups: [{ id: ID, name: 'Everybody' }, { id: 'other' }],
  decision: 'allowed',
  outcome: 'ok',
  category: 'invocation',
  billable: true,
  billable_reason: 'reached the upstream',
  definition_version: 'abc',
  duration_ms: 12,
  arguments_sha256: 'a'.repeat(64),
};

/** Values near the border of what some member may be. */
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, {}, [], '', ' ', 'ä', '\n', '\u007f', '\u2028', '𝄞', '\ud834'),
  fc.constantFrom<unknown>('denied', 'unspecified', 'error', 'ok', 'health_check', 'constructor'),
  fc.constantFrom<unknown>(0, -0, 1, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e300),
  fc.constantFrom<unknown>('1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'),
  fc.constantFrom<unknown>('2026-02-30T00:00:00.000Z', '2026-01-31T24:00:00.000Z', '2026-01-31T09:00:00+01:00', 'x'),
  fc.constantFrom<unknown>('+012026-01-31T09:00:00Z', '2026-01-31t09:00:00.000z', 'Sat, 31 Jan 2026 09:00 Z'),
  fc.constantFrom<unknown>(ID, ID.toUpperCase(), `${ID} `, ID.replaceAll('-', ''), 'b'.repeat(64), 'B'.repeat(64)),
  fc.constantFrom(63, 64, 65, 255, 256, 257, 320, 321, 512, 513).map((length): unknown => 'a'.repeat(length)),
  fc.constantFrom<unknown>(
    [{ id: ID }],
    [{ id: '' }],
    [{ name: 'a' }],
    [{ id: 'a', name: '' }],
    [{ id: 'a', more: 1 }],
  ),
  fc.constantFrom<unknown>([null], [ID], [{ id: 'a' }, { id: 'a' }], [{ id: 'ä' }], { length: 0 }),
  fc.constantFrom(5_000, 5_001).map((length): unknown => Array.from({ length }, () => ({ id: 'a' }))),
  fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
);
const member = fc.constantFrom(...Object.keys(RECORD), 'more');

describe('a record that is taken at once', () => {
  it('is the usual one, with and without what may be missing', () => {
    expect(isPlainRecord(RECORD)).toBe(true);
    const { call_id, occurred_at, tool_name, decision, outcome, category, billable } = RECORD;
    expect(isPlainRecord({ call_id, occurred_at, tool_name, decision, outcome, category, billable })).toBe(true);
  });

  it('is one that the schema takes as it is', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(member, value), { maxLength: 2 }),
        fc.array(member, { maxLength: 1 }),
        (others, without) => {
          const members = { ...RECORD, ...Object.fromEntries(others) };
          const item = Object.fromEntries(Object.entries(members).filter(([name]) => !without.includes(name)));
          if (!isPlainRecord(item)) return;
          taken += 1;
          expect(ToolCallRecord.safeParse(item)).toEqual({ success: true, data: item });
        },
      ),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('is no item that is no object', () => {
    for (const item of [null, undefined, 1, 'record', [], [RECORD]]) expect(isPlainRecord(item)).toBe(false);
  });
});
