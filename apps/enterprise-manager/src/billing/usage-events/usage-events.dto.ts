import { judgedLater } from '@gatehouse/service-kit/openapi-schemas';
import { z } from 'zod';
import { line } from '../../validation/text.ts';
import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';
import { UsageReport } from './usage-report.ts';

/** Most reports in one batch. */
export const MAX_EVENTS = 1_000;
/** Most events that one request charges: as many as one short transaction can. */
const MAX_RECHARGED = 1_000;

/** A batch of reports. They are read one by one, so that a bad one does not hurt the others. */
export const UsageBatch = z
  .strictObject({
    events: z
      .array(judgedLater(UsageReport))
      .max(MAX_EVENTS)
      .describe('An item that has not the form of a report is rejected alone'),
  })
  .meta({ id: 'UsageBatch', description: 'Reports of use' });
export type UsageBatch = z.infer<typeof UsageBatch>;

/** What became of a report. */
export const Receipt = z
  .object({
    status: z
      .enum(['charged', 'duplicate', 'conflict', 'unpriceable', 'rejected'])
      .describe(
        '`duplicate`: reported before, in the same words. `conflict`: reported before in other words; the first report stays. `unpriceable`: stored without a charge, since its model has no price',
      ),
    event_id: z
      .guid()
      .optional()
      .describe('For a repeat, that of the first report; absent where another gateway reported the attempt first'),
    charged_usd: z.string().optional(),
    basis: z.enum(['reported', 'estimated', 'none']).optional().describe('What the charge rests on'),
    error: z.string().optional(),
  })
  .meta({ id: 'UsageReceipt' });
export type Receipt = z.infer<typeof Receipt>;

/** What became of each report, in the order sent. */
export const UsageReceipts = z
  .object({ results: z.array(Receipt) })
  .meta({ id: 'UsageReceipts', description: 'One result for each report' });
export type UsageReceipts = z.infer<typeof UsageReceipts>;

/** Body of `POST /v1/budgets/events/recharge`. */
export const RechargeRequest = z
  .strictObject({
    from: dateOrInstantText().optional().describe('Only events from this time on'),
    to: dateOrInstantText().optional().describe('Only events before this time'),
    provider: line(256).optional().describe('As it was reported'),
    model: line(512).optional(),
    limit: z
      .int()
      .min(1)
      .transform((limit) => Math.min(limit, MAX_RECHARGED))
      .default(MAX_RECHARGED)
      .meta({
        description: 'How many events to charge; larger values are taken for 1000',
        override: { type: 'integer', minimum: 1, maximum: MAX_RECHARGED, default: MAX_RECHARGED },
      }),
  })
  .meta({ id: 'RechargeRequest', description: 'Which events to charge that had no price when they came' });
export type RechargeRequest = z.infer<typeof RechargeRequest>;

/** What was charged, and what is left. */
export const RechargeResult = z
  .object({
    charged_count: z.int(),
    charged_usd: z.string().describe('The sum of what was charged'),
    pricing_catalog_id: z.guid().optional().describe('The version in effect now, by which it was charged'),
    priceable_count: z.int().describe('Events left that have a price: the same request again charges them'),
    unpriceable_count: z.int().describe('Events left without a price'),
  })
  .meta({ id: 'RechargeResult', description: 'Events that were charged' });
export type RechargeResult = z.infer<typeof RechargeResult>;
