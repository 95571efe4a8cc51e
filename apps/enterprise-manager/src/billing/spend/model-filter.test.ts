import { expect, it } from '@jest/globals';
import type { z } from 'zod';
import { AdmissionRequest } from '../admission/admission.dto.ts';
import { ChargeListQuery, OwnChargeListQuery } from '../charges/charges.dto.ts';
import { OwnUsageEventListQuery, UsageEventListQuery } from '../usage-events/usage-event-list.dto.ts';
import { OwnSeriesQuery, SeriesQuery, SpendExportQuery } from './spend.dto.ts';

const longest = 'm'.repeat(512);

it('accepts the longest name of a model in an admission', () => {
  expect(AdmissionRequest.shape.model.safeParse(longest).success).toBe(true);
  expect(AdmissionRequest.shape.model.safeParse(`${longest}m`).success).toBe(false);
});

it.each<[string, z.ZodType]>([
  ['charges', ChargeListQuery],
  ['own charges', OwnChargeListQuery],
  ['usage events', UsageEventListQuery],
  ['own usage events', OwnUsageEventListQuery],
  ['the series', SeriesQuery],
  ['the own series', OwnSeriesQuery],
  ['the export', SpendExportQuery],
])('accepts the longest name of a model in the filter of %s', (_, query) => {
  expect(query.safeParse({ model: longest }).success).toBe(true);
});
