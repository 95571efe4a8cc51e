import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { subjectId } from '../../validation/text.ts';
import { timeRange } from '../spend/time-range.ts';

/** A charge in responses. */
export const Charge = z
  .object({
    id: z.guid(),
    event_id: z.guid().describe('The usage event of the charge. Each event has at most one charge'),
    interaction_id: z.string(),
    attempt: z.number().int(),
    event_time: z.iso.datetime(),
    auth_subject: z.string().describe('The user that made the request'),
    provider: z.string(),
    model: z.string().describe('The model that served the request'),
    scope: z.enum(['user', 'group']).describe('The kind of the payer: a user or a group'),
    subject_id: z.string().describe('The payer'),
    charged_usd: z.string().describe('Exact amount in US dollars with nine fraction digits'),
    basis: z
      .enum(['reported', 'estimated', 'none'])
      .describe('The source of the usage: `reported` by the provider, `estimated` by the gateway, or `none`'),
    usage: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .describe('The priced tokens and calls, in disjoint usage buckets'),
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime(),
    pricing_catalog_id: z.guid().describe('The version of the pricing catalog that priced the charge'),
  })
  .meta({ id: 'Charge', description: 'The cost of one usage event, and its payer' });
export type Charge = z.infer<typeof Charge>;

/** A page of charges. */
export const ChargesPage = z
  .object({
    charges: z.array(Charge),
    next_cursor: z.string().optional().describe('Cursor of the next page, with older charges'),
  })
  .meta({ id: 'ChargesPage', description: 'Charges, newest first' });
export type ChargesPage = z.infer<typeof ChargesPage>;

const model = () => line(512).optional().describe('Exact name of the model that served the request');

/** Query of `GET /v1/budgets/charges`. */
export const ChargeListQuery = z.strictObject({
  ...timeRange(),
  model: model(),
  scope: z.enum(['user', 'group']).optional(),
  subject_id: subjectId().optional().describe('Exact `subject_id` of the payer'),
  cursor: cursorParameter(),
  limit: limitParameter(50, 10_000),
});
export type ChargeListQuery = z.infer<typeof ChargeListQuery>;

/** Query of `GET /v1/me/budgets/charges`. */
export const OwnChargeListQuery = z.strictObject({
  ...timeRange(),
  model: model(),
  cursor: cursorParameter(),
  limit: limitParameter(50, 200),
});
export type OwnChargeListQuery = z.infer<typeof OwnChargeListQuery>;
