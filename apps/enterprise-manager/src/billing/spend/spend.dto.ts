import { booleanParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { subjectId } from '../../validation/text.ts';
import { PERIODS } from '../budgets/period.ts';
import { dateOrInstantText } from './spend-window.ts';
import { timeZone } from './time-zone.ts';

const scope = () => z.enum(['user', 'group']);
const usd = () => z.string().describe('Exact amount in US dollars with nine fraction digits');
const period = () =>
  z
    .enum(PERIODS)
    .optional()
    .describe('The period of the window. Default: the period of the subject’s only budget, otherwise the month');

const window = {
  period: z.enum(PERIODS).optional(),
  period_start: z.iso.datetime().optional().describe('First moment of the window'),
  period_end: z.iso.datetime().optional().describe('First moment after the window'),
};

/** The amount of one value of a dimension. */
export const BreakdownEntry = z
  .object({
    value: z.string(),
    used_usd: usd(),
    ...window,
  })
  .meta({ id: 'BreakdownEntry', description: 'The amount of one model, provider, user or group' });
export type BreakdownEntry = z.infer<typeof BreakdownEntry>;

/** The spend of a budget window by model, provider and user. */
export const BudgetBreakdown = z
  .object({
    scope: scope(),
    subject_id: z.string(),
    ...window,
    total_used_usd: usd(),
    by_model: z.array(BreakdownEntry),
    by_provider: z.array(BreakdownEntry),
    by_user: z.array(BreakdownEntry),
  })
  .meta({
    id: 'BudgetBreakdown',
    description: 'The used amounts of the current window. The entries of each list add up to the total',
  });
export type BudgetBreakdown = z.infer<typeof BudgetBreakdown>;

/** The spend of a budget window by one dimension. */
export const BudgetSlice = z
  .object({
    scope: scope(),
    subject_id: z.string(),
    dimension: z.enum(['user', 'model', 'group']),
    ...window,
    total_used_usd: usd(),
    entries: z.array(BreakdownEntry),
  })
  .meta({ id: 'BudgetSlice', description: 'The used amounts of the current window. The entries add up to the total' });
export type BudgetSlice = z.infer<typeof BudgetSlice>;

/** Query of `GET /v1/budgets/breakdown`. */
export const BreakdownQuery = z.strictObject({ scope: scope(), subject_id: subjectId(), period: period() });
export type BreakdownQuery = z.infer<typeof BreakdownQuery>;

/** Query of `GET /v1/budgets/groups/{id}`. */
export const GroupSliceQuery = z.strictObject({ dimension: z.enum(['user', 'model']), period: period() });
export type GroupSliceQuery = z.infer<typeof GroupSliceQuery>;

/** Query of `GET /v1/budgets/users/{id}`. */
export const UserSliceQuery = z.strictObject({ dimension: z.enum(['model', 'group']), period: period() });
export type UserSliceQuery = z.infer<typeof UserSliceQuery>;

/** A path with the `subject_id` of a user. */
export const SubjectPath = z.strictObject({ id: subjectId() });
export type SubjectPath = z.infer<typeof SubjectPath>;

/** The spend of each day. */
export const DailySpendSeries = z
  .object({
    granularity: z.literal('day'),
    time_zone: z.string().describe('The time zone of the days'),
    from: z
      .string()
      .describe(
        'Start of the served window: a date if it is the first moment of a day in the time zone, otherwise RFC 3339',
      ),
    to: z.string().describe('End of the served window, exclusive, in the same form as `from`'),
    buckets: z.array(
      z.object({ date: z.iso.date(), usd: usd() }).meta({
        id: 'SpendBucket',
        description: 'The spend of one day in the time zone, or of the part of the day that is in the window',
      }),
    ),
  })
  .meta({ id: 'DailySpendSeries', description: 'Every day of the window, also days without spend' });
export type DailySpendSeries = z.infer<typeof DailySpendSeries>;

const reportTimes = {
  from: dateOrInstantText()
    .optional()
    .describe('Earliest time, inclusive, RFC 3339 or a date; default 30 days back including today'),
  to: dateOrInstantText().optional().describe('Latest time, exclusive, RFC 3339 or a date; default the end of today'),
  time_zone: timeZone(),
};
const ownSeries = {
  granularity: z.literal('day').optional(),
  ...reportTimes,
  model: line(512).optional().describe('Exact name of the model'),
};
const payer = {
  scope: scope().optional().describe('The kind of the payer: a user or a group'),
  subject_id: subjectId().optional().describe('Exact `subject_id` of the payer'),
};

/** Query of `GET /v1/me/budgets/spend`. */
export const OwnSeriesQuery = z.strictObject(ownSeries);
export type OwnSeriesQuery = z.infer<typeof OwnSeriesQuery>;

/** Query of `GET /v1/budgets/spend`. */
export const SeriesQuery = z.strictObject({ ...ownSeries, ...payer });
export type SeriesQuery = z.infer<typeof SeriesQuery>;

/** The dimensions of an export. */
export const DIMENSIONS = ['user', 'model', 'provider'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Query of `GET /v1/budgets/spend/export`. */
export const SpendExportQuery = z.strictObject({
  group_by: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(DIMENSIONS, { error: 'must be a comma-separated list of user, model, provider' })))
    .refine((list) => new Set(list).size === list.length, 'must not repeat a dimension')
    .default(['user'])
    .meta({
      description:
        'Comma-separated list of `user`, `model` and `provider` without repetition. The columns have this order',
      override: { type: 'string', default: 'user' },
    }),
  granularity: z.enum(['day', 'week', 'month']).default('day').describe('Width of a bucket; weeks begin on Monday'),
  ...reportTimes,
  names: booleanParameter()
    .default(false)
    .describe('Whether rows by user have a last column `user_name`. It is empty for a user without a directory entry'),
  model: line(512).optional().describe('Exact name of the model'),
  ...payer,
});
export type SpendExportQuery = z.infer<typeof SpendExportQuery>;
