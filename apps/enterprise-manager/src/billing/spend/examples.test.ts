import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { ADMISSION_EXAMPLE, LEASE_EXAMPLE } from '../admission/admission.examples.ts';
import { AdmissionAnswer } from '../admission/admission.dto.ts';
import { LeaseAnswer } from '../admission/leases.dto.ts';
import { CATALOG_EXAMPLE, ENTRY_EXAMPLE } from '../pricing/pricing.examples.ts';
import { PricingCatalog, PricingCatalogWrite, PricingEntry } from '../pricing/pricing.dto.ts';
import { BudgetBreakdown, BudgetSlice, DailySpendSeries } from './spend.dto.ts';
import {
  BREAKDOWN_EXAMPLE,
  GROUP_SLICE_EXAMPLE,
  SERIES_EXAMPLE,
  SPEND_EXPORT_EXAMPLE,
  USER_SLICE_EXAMPLE,
} from './spend.examples.ts';

const toNanos = (usd = '') => BigInt(usd.replace('.', ''));
const sumAmounts = (entries: readonly { used_usd: string }[]) =>
  entries.reduce((all, { used_usd }) => all + toNanos(used_usd), 0n);

describe('the examples of the reference', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['an admission', AdmissionAnswer, ADMISSION_EXAMPLE],
    ['a lease', LeaseAnswer, LEASE_EXAMPLE],
    ['a price', PricingEntry, ENTRY_EXAMPLE],
    ['a catalog', PricingCatalog, CATALOG_EXAMPLE],
    ['a catalog to write', PricingCatalogWrite, CATALOG_EXAMPLE],
    ['a breakdown', BudgetBreakdown, BREAKDOWN_EXAMPLE],
    ['a slice of a group', BudgetSlice, GROUP_SLICE_EXAMPLE],
    ['a slice of a user', BudgetSlice, USER_SLICE_EXAMPLE],
    ['a series', DailySpendSeries, SERIES_EXAMPLE],
  ])('match the schema of %s', (_, schema, example) => {
    expect(schema.parse(example)).toEqual(example);
  });

  it('have equal totals', () => {
    const { total_used_usd, by_model, by_provider, by_user } = BREAKDOWN_EXAMPLE;
    for (const entries of [by_model, by_provider, by_user, GROUP_SLICE_EXAMPLE.entries, USER_SLICE_EXAMPLE.entries])
      expect(sumAmounts(entries)).toBe(toNanos(total_used_usd));
    const charged = SPEND_EXPORT_EXAMPLE.trim()
      .split('\n')
      .slice(1)
      .map((row) => ({ used_usd: row.split(',')[3] ?? '' }));
    expect(sumAmounts(charged)).toBe(toNanos(total_used_usd));
  });
});
