import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line, subjectId } from '../../validation/text.ts';
import { timeRange } from '../spend/time-range.ts';

/** A charge, as it is read. */
export const Charge = z
  .object({
    id: z.guid(),
    event_id: z.guid().describe('The usage event that it is for; each event has at most one charge'),
    interaction_id: z.string(),
    attempt: z.number().int(),
    event_time: z.iso.datetime(),
    auth_subject: z.string().describe('Whose request it was'),
    provider: z.string(),
    model: z.string().describe('The model that served'),
    scope: z.enum(['user', 'group']).describe('Who paid: a person or a group'),
    subject_id: z.string().describe('Who paid'),
    charged_usd: z.string().describe('US dollars with nine fraction digits, exact'),
    basis: z
      .enum(['reported', 'estimated', 'none'])
      .describe('Whether the provider reported the usage, the gateway estimated it, or there was none'),
    usage: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .describe('Tokens and calls that were priced, in disjoint parts'),
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime(),
    pricing_catalog_id: z.guid().describe('The version of the pricing catalog by which it was priced'),
  })
  .meta({ id: 'Charge', description: 'What one usage event cost, and who paid' });
export type Charge = z.infer<typeof Charge>;

/** A page of charges. */
export const ChargesPage = z
  .object({ charges: z.array(Charge), next_cursor: z.string().optional().describe('Leads to older ones') })
  .meta({ id: 'ChargesPage', description: 'Charges, newest first' });
export type ChargesPage = z.infer<typeof ChargesPage>;

const model = () => line(512).optional().describe('Exact name of the model that served');

/** What the list of charges takes. */
export const ChargeListQuery = z.strictObject({
  ...timeRange(),
  model: model(),
  scope: z.enum(['user', 'group']).optional(),
  subject_id: subjectId().optional().describe('Who paid, exactly'),
  cursor: cursorParameter(),
  limit: limitParameter(50, 10_000),
});
export type ChargeListQuery = z.infer<typeof ChargeListQuery>;

/** What the caller's own list takes. */
export const OwnChargeListQuery = z.strictObject({
  ...timeRange(),
  model: model(),
  cursor: cursorParameter(),
  limit: limitParameter(50, 200),
});
export type OwnChargeListQuery = z.infer<typeof OwnChargeListQuery>;
