import { describe, expect, it } from '@jest/globals';
import { readRates } from '@gatehouse/money/rates';
import { createStatement } from './charge-statement.ts';
import type { Schemas } from './manager.ts';

const charge = (more: Partial<Schemas['Charge']>): Schemas['Charge'] => ({
  id: '01890000-0000-7000-8000-000000000001',
  event_id: '01890000-0000-7000-8000-000000000001',
  interaction_id: 'i',
  attempt: 1,
  event_time: '2026-11-01T00:00:00.000Z',
  auth_subject: 'alice',
  provider: 'openai',
  model: 'm',
  scope: 'user',
  subject_id: 'alice',
  charged_usd: '0.000000000',
  basis: 'reported',
  usage: {},
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  pricing_catalog_id: '01890000-0000-7000-8000-000000000002',
  ...more,
});
const rates = readRates(
  'openai',
  { inputUsdPerMillion: '0.0005', outputUsdPerMillion: '10' },
  { openai: { webSearchUsdPerThousand: '2.5' } },
);

describe('the statement of a charge', () => {
  it('has an exact line for each count', () => {
    const usage = { input: 3, output: '9007199254740993', web_search: 3 };
    const { lines, sum_usd, differs } = createStatement(charge({ usage, charged_usd: '90071992547.417430002' }), rates);
    expect(lines).toEqual([
      { bucket: 'input', quantity: '3', rate_usd: '0.0005', unit: 'million tokens', amount_usd: '0.0000000015' },
      {
        ...{ bucket: 'output', quantity: '9007199254740993', rate_usd: '10.0', unit: 'million tokens' },
        amount_usd: '90071992547.40993',
      },
      { bucket: 'web_search', quantity: '3', rate_usd: '2.5', unit: 'thousand calls', amount_usd: '0.0075' },
    ]);
    expect([sum_usd, differs]).toEqual(['90071992547.4174300015', false]);
  });

  it.each([
    [1, '0.000000000', '-0.0000000005', '0.0000000005'],
    [3, '0.000000002', '0.0000000005', '0.0000000015'],
    [4, '0.000000002', '0.0', '0.000000002'],
    [5, '0.000000002', '-0.0000000005', '0.0000000025'],
  ])(
    'rounds the amount of %d tokens once to %s, a half to the even digit',
    (input, charged_usd, rounding_usd, sum_usd) => {
      const statement = createStatement(charge({ usage: { input }, charged_usd }), rates);
      expect(statement).toMatchObject({ sum_usd, rounding_usd, computed_usd: charged_usd, differs: false });
    },
  );

  it('reports a charge whose amount differs from its lines', () => {
    const statement = createStatement(charge({ usage: { input: 3 }, charged_usd: '0.000000003' }), rates);
    expect(statement).toMatchObject({ computed_usd: '0.000000002', differs: true });
  });

  it('has no lines when the amount is the estimate of the admission', () => {
    const statement = createStatement(charge({ basis: 'estimated', charged_usd: '0.5' }), rates);
    expect(statement).toMatchObject({ lines: [], is_admission_estimate: true, differs: false });
  });

  it.each([{ thinking: 3 }, { input: '3.5' }, { input: -1 }])('refuses the counts %j', (usage) => {
    expect(() => createStatement(charge({ usage }), rates)).toThrow('is not a count that this version knows');
  });
});
