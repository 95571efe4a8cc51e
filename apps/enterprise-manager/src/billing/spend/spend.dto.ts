import { booleanParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line, subjectId } from '../../validation/text.ts';
import { PERIODS } from '../budgets/period.ts';
import { dateOrInstantText } from './spend-window.ts';
import { timeZone } from './time-zone.ts';

const scope = () => z.enum(['user', 'group']);
const usd = () => z.string().describe('US dollars with nine fraction digits, exact');
const period = () =>
  z
    .enum(PERIODS)
    .optional()
    .describe('Which window; without it the month, or the period of the only budget that the subject has');

const window = {
  period: z.enum(PERIODS).optional(),
  period_start: z.iso.datetime().optional().describe('First moment of the window'),
  period_end: z.iso.datetime().optional().describe('First moment after the window'),
};

/** What one value of a dimension comes to. */
export const BreakdownEntry = z
  .object({
    value: z.string(),
    used_usd: usd(),
    ...window,
  })
  .meta({ id: 'BreakdownEntry', description: 'What one model, provider, person or group comes to' });
export type BreakdownEntry = z.infer<typeof BreakdownEntry>;

/** A window of a budget, by model, provider and person. */
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
  .meta({ id: 'BudgetBreakdown', description: 'What was used in the current window; each list adds up to the total' });
export type BudgetBreakdown = z.infer<typeof BudgetBreakdown>;

/** A window of a budget by one dimension. */
export const BudgetSlice = z
  .object({
    scope: scope(),
    subject_id: z.string(),
    dimension: z.enum(['user', 'model', 'group']),
    ...window,
    total_used_usd: usd(),
    entries: z.array(BreakdownEntry),
  })
  .meta({ id: 'BudgetSlice', description: 'What was used in the current window; the entries add up to the total' });
export type BudgetSlice = z.infer<typeof BudgetSlice>;

/** What a breakdown takes. */
export const BreakdownQuery = z.strictObject({ scope: scope(), subject_id: subjectId(), period: period() });
export type BreakdownQuery = z.infer<typeof BreakdownQuery>;

/** What a slice of a group takes. */
export const GroupSliceQuery = z.strictObject({ dimension: z.enum(['user', 'model']), period: period() });
export type GroupSliceQuery = z.infer<typeof GroupSliceQuery>;

/** What a slice of a person takes. */
export const UserSliceQuery = z.strictObject({ dimension: z.enum(['model', 'group']), period: period() });
export type UserSliceQuery = z.infer<typeof UserSliceQuery>;

/** A path with the `subject_id` of a person. */
export const SubjectPath = z.strictObject({ id: subjectId() });
export type SubjectPath = z.infer<typeof SubjectPath>;

/** What was spent on each day. */
export const DailySpendSeries = z
  .object({
    granularity: z.literal('day'),
    time_zone: z.string().describe('The zone whose days the buckets are'),
    from: z
      .string()
      .describe('Beginning of what is served: a date where it is the first moment of a day of the zone, else RFC 3339'),
    to: z.string().describe('End of what is served, exclusive, written as `from` is'),
    buckets: z.array(
      z.object({ date: z.iso.date(), usd: usd() }).meta({
        id: 'SpendBucket',
        description:
          'What was spent on one day of the zone; only a part of it where the window begins or ends within it',
      }),
    ),
  })
  .meta({ id: 'DailySpendSeries', description: 'Every day of the window, also those without spend, today included' });
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
  scope: scope().optional().describe('Who paid: a person or a group'),
  subject_id: subjectId().optional().describe('Who paid, exactly'),
};

/** What the caller's own series takes. */
export const OwnSeriesQuery = z.strictObject(ownSeries);
export type OwnSeriesQuery = z.infer<typeof OwnSeriesQuery>;

/** What a series takes. */
export const SeriesQuery = z.strictObject({ ...ownSeries, ...payer });
export type SeriesQuery = z.infer<typeof SeriesQuery>;

/** By what an export can group. */
export const DIMENSIONS = ['user', 'model', 'provider'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What an export takes. */
export const SpendExportQuery = z.strictObject({
  group_by: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(DIMENSIONS, { error: 'must be a list with commas of user, model, provider' })))
    .refine((list) => new Set(list).size === list.length, 'must not repeat a dimension')
    .default(['user'])
    .meta({
      description:
        'List with commas of `user`, `model` and `provider`, without repeats; the columns come in this order',
      override: { type: 'string', default: 'user' },
    }),
  granularity: z.enum(['day', 'week', 'month']).default('day').describe('Width of a bucket; weeks begin on Monday'),
  ...reportTimes,
  names: booleanParameter()
    .default(false)
    .describe('Whether rows by user end with a column `user_name`, empty where the directory does not have the user'),
  model: line(512).optional().describe('Exact name of the model'),
  ...payer,
});
export type SpendExportQuery = z.infer<typeof SpendExportQuery>;
