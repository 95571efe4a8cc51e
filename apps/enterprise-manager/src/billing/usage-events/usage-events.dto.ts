import { createUncheckedSchema } from '@gatehouse/service-kit/openapi-schemas';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';
import { UsageReport } from './usage-report.ts';

/** Maximum number of reports in a batch. */
export const MAX_EVENTS = 1_000;
/** Maximum number of events that one request charges, in one short transaction. */
const MAX_RECHARGED = 1_000;

/** A batch of reports. Each report is validated separately, so an invalid one affects no other. */
export const UsageBatch = z
  .strictObject({
    events: z
      .array(createUncheckedSchema(UsageReport))
      .max(MAX_EVENTS)
      .describe('Invalid reports are rejected separately, without an effect on other reports'),
  })
  .meta({ id: 'UsageBatch', description: 'Usage reports of a gateway' });
export type UsageBatch = z.infer<typeof UsageBatch>;

/** The result of one report. */
export const Receipt = z
  .object({
    status: z
      .enum(['charged', 'duplicate', 'conflict', 'unpriceable', 'rejected'])
      .describe(
        '`duplicate`: reported before with the same content. `conflict`: reported before with other content; the first report stays. `unpriceable`: stored without a charge, because the model has no price',
      ),
    event_id: z
      .guid()
      .optional()
      .describe(
        'For a repeated report, the event of the first report; absent if another gateway reported the attempt first',
      ),
    charged_usd: z.string().optional(),
    basis: z.enum(['reported', 'estimated', 'none']).optional().describe('The usage by which the charge was computed'),
    error: z.string().optional(),
  })
  .meta({ id: 'UsageReceipt' });
export type Receipt = z.infer<typeof Receipt>;

/** The results of a batch, in the order of its reports. */
export const UsageReceipts = z
  .object({ results: z.array(Receipt) })
  .meta({ id: 'UsageReceipts', description: 'One result for each report' });
export type UsageReceipts = z.infer<typeof UsageReceipts>;

/** Body of `POST /v1/budgets/events/recharge`. */
export const RechargeRequest = z
  .strictObject({
    from: dateOrInstantText().optional().describe('Only events from this time on'),
    to: dateOrInstantText().optional().describe('Only events before this time'),
    provider: line(256).optional().describe('The provider as reported'),
    model: line(512).optional(),
    limit: z
      .int()
      .min(1)
      .transform((limit) => Math.min(limit, MAX_RECHARGED))
      .default(MAX_RECHARGED)
      .meta({
        description: 'Maximum number of events to charge; larger values count as 1000',
        override: { type: 'integer', minimum: 1, maximum: MAX_RECHARGED, default: MAX_RECHARGED },
      }),
  })
  .meta({ id: 'RechargeRequest', description: 'Selects the unpriced events to charge' });
export type RechargeRequest = z.infer<typeof RechargeRequest>;

/** The result of a recharge. */
export const RechargeResult = z
  .object({
    charged_count: z.int(),
    charged_usd: z.string().describe('The sum of the new charges'),
    pricing_catalog_id: z
      .guid()
      .optional()
      .describe('The version of the pricing catalog that is in effect now and priced the events'),
    priceable_count: z.int().describe('Remaining events that have a price; the same request charges them'),
    unpriceable_count: z.int().describe('Remaining events without a price'),
  })
  .meta({ id: 'RechargeResult', description: 'The charged events and the remaining ones' });
export type RechargeResult = z.infer<typeof RechargeResult>;
