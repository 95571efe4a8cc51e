import { describe, expect, it } from '@jest/globals';
import { expectSchemaTakesWhatIsPlain } from '../../gateways/calls/plain-item.fixture.ts';
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

/** Of groups, words and digests. */
const borders = [
  ...['denied', 'unspecified', 'error', 'ok', 'health_check', 'constructor', 'b'.repeat(64), 'B'.repeat(64)],
  ...[[{ id: ID }], [{ id: '' }], [{ name: 'a' }], [{ id: 'a', name: '' }], [{ id: 'a', more: 1 }]],
  ...[[null], [ID], [{ id: 'a' }, { id: 'a' }], [{ id: 'ä' }], { length: 0 }],
  ...[5_000, 5_001].map((length) => Array.from({ length }, () => ({ id: 'a' }))),
];

describe('a record that is taken at once', () => {
  it('is the usual one, with and without what may be missing', () => {
    expect(isPlainRecord(RECORD)).toBe(true);
    const { call_id, occurred_at, tool_name, decision, outcome, category, billable } = RECORD;
    expect(isPlainRecord({ call_id, occurred_at, tool_name, decision, outcome, category, billable })).toBe(true);
  });

  it('is one that the schema takes as it is', () => {
    expectSchemaTakesWhatIsPlain({ usual: RECORD, isPlain: isPlainRecord, schema: ToolCallRecord, borders });
  });

  it('is no item that is no object', () => {
    for (const item of [null, undefined, 1, 'record', [], [RECORD]]) expect(isPlainRecord(item)).toBe(false);
  });
});
