import { describe, expect, it } from '@jest/globals';
import { expectSchemaTakesWhatIsPlain } from '../../gateways/calls/plain-item.fixture.ts';
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

/** Of outcomes and principals. */
const borders = [
  ...['delivered', 'upstream_error'],
  ...[{ virtual_key_id: 'k' }, { issuer: 'i' }, { issuer: 'i', subject: 's', virtual_key_id: 'k' }],
  ...[64, 65, 255, 256, 2_049].map((length) => ({ issuer: 'i', subject: 'a'.repeat(length) })),
  ...[2_048, 2_049].map((length) => ({ issuer: 'a'.repeat(length), subject: 's' })),
  ...[64, 65].map((length) => ({ virtual_key_id: 'a'.repeat(length) })),
];

describe('a report that is taken at once', () => {
  it('is the usual one, with and without what may be missing', () => {
    expect(isPlainReport(REPORT)).toBe(true);
    const { reservation_id: _reservation, estimated_usage: _estimate, ...less } = REPORT;
    expect(isPlainReport(less)).toBe(true);
    expect(isPlainReport({ ...REPORT, principal: { virtual_key_id: 'key' } })).toBe(true);
  });

  it('is one that the schema takes as it is', () => {
    expectSchemaTakesWhatIsPlain({ usual: REPORT, isPlain: isPlainReport, schema: UsageReport, borders });
  });

  it('is no item that is no object', () => {
    for (const item of [null, undefined, 1, 'report', [], [REPORT]]) expect(isPlainReport(item)).toBe(false);
  });
});
