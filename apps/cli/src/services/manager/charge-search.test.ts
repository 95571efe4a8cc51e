import { describe, expect, it } from '@jest/globals';
import { searchRanges } from './charge-search.ts';

describe('the time ranges of the search for a charge', () => {
  it('are adjacent, from shortly after the report to 32 days before it', () => {
    // RFC 9562, appendix A.6: 2022-02-22T19:22:22.000Z.
    expect(searchRanges('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')).toEqual([
      { from: '2022-02-22T19:12:22.000Z', to: '2022-02-22T19:32:22.000Z' },
      { from: '2022-02-21T19:22:22.000Z', to: '2022-02-22T19:12:22.000Z' },
      { from: '2022-01-21T19:22:22.000Z', to: '2022-02-21T19:22:22.000Z' },
    ]);
  });

  it('are valid for the smallest and the largest id', () => {
    for (const id of ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'])
      for (const { from = '', to = '' } of searchRanges(id))
        for (const time of [from, to]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it.each(['', 'x', '11111111-1111-4111-8111-111111111111', '017F22E279B07CC398C4DC0C0C07398F'])(
    'do not exist for the invalid id %j',
    (id) => expect(() => searchRanges(id)).toThrow('ID: must be the id of a charge'),
  );
});
