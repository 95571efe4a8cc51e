import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { filterText, time } from '@gatehouse/service-kit/text';
import { PERIODS } from './period.ts';

const amounts = {
  limit_usd: z.string(),
  used_usd: z.string().describe('Sum of the charges with an event in the window'),
  remaining_usd: z.string().describe('`limit_usd` minus `used_usd`, at least 0; it includes `reserved_usd`'),
  reserved_usd: z
    .string()
    .describe(
      'The amount that running requests and leases reserve now; new requests can use `remaining_usd` minus this amount',
    ),
};

const window = {
  period_start: z.iso.datetime().describe('Start of the window, inclusive'),
  period_end: z.iso.datetime().describe('End of the window, exclusive'),
};

const cell = {
  scope: z.enum(['user', 'group']),
  subject_id: z.string(),
  period: z.enum(PERIODS),
  ...amounts,
  ...window,
  on_default: z.boolean().describe('Whether the limit comes from the default user budget'),
};

const ORDINAL =
  'Position of the payer among all payers. It is 1 for users, which pay first. Groups with a budget follow from 2 by precedence and id. A group has the same position in every list';

/** The usage of a budget in one window. */
export const BudgetCell = z
  .object({
    ...cell,
    ordinal: z.int().min(1).describe(ORDINAL),
  })
  .meta({ id: 'BudgetCell', description: 'The usage of a budget in one window' });
export type BudgetCell = z.infer<typeof BudgetCell>;

/** A page of cells. */
export const BudgetCellsPage = z
  .object({
    at: z.iso.datetime().describe('The time that the windows contain'),
    limits_as_of: z.iso
      .datetime()
      .describe('The time of the limits. It is always the time of the response, because past limits are not stored'),
    cells: z.array(BudgetCell),
    next_cursor: z.string().optional(),
  })
  .meta({ id: 'BudgetCellsPage', description: 'Budget cells: groups first, then by subject and period' });
export type BudgetCellsPage = z.infer<typeof BudgetCellsPage>;

/** Query of `GET /v1/budgets/summary`. */
export const BudgetCellsQuery = z.strictObject({
  scope: z.enum(['user', 'group']).optional(),
  subject: filterText().optional().describe('Prefix of `subject_id`'),
  at: z
    .union([z.iso.date(), time()], {
      error: 'must be a date or a time as in RFC 3339, for example 2026-01-31 or 2026-01-31T09:00:00Z',
    })
    .refine((text) => new Date(text).getUTCFullYear() < 9_999, 'must be before the year 9999')
    .optional()
    .describe('A time in the windows to list, RFC 3339 or a date. Default: now. Limits are always those of today'),
  cursor: cursorParameter(),
  limit: limitParameter(50, 200),
});
export type BudgetCellsQuery = z.infer<typeof BudgetCellsQuery>;

/** The usage of a budget of the caller or of a group of the caller in one window. */
export const OwnBudgetCell = z
  .object({
    ...cell,
    ordinal: z.int().min(1).describe(ORDINAL),
    my_contribution_usd: z.string().optional().describe('Only for groups: the part of `used_usd` that the caller used'),
  })
  .meta({
    id: 'OwnBudgetCell',
    description: 'The usage of a budget of the caller or of a group of the caller in one window; for groups only sums',
  });
export type OwnBudgetCell = z.infer<typeof OwnBudgetCell>;

/** The caller's own budget of one period. */
export const PersonalBudgetCard = z
  .object({ ...amounts, ...window, budgets: z.int().describe('The number of the caller’s own budgets in this card') })
  .meta({
    id: 'PersonalBudgetCard',
    description: 'The caller’s own budget of one period, or the default user budget if it applies to the caller',
  });
export type PersonalBudgetCard = z.infer<typeof PersonalBudgetCard>;

/** Response of `GET /v1/me/budgets/summary`. */
export const OwnBudgetsSummary = z
  .object({
    subject: z.string().describe('The caller as budgets and charges name it'),
    budgets: z.array(OwnBudgetCell).describe('In the order in which they pay'),
    day: PersonalBudgetCard.optional().describe('Absent when the caller has no daily budget'),
    month: PersonalBudgetCard.optional().describe('Absent when the caller has no monthly budget'),
  })
  .meta({ id: 'OwnBudgetsSummary', description: 'The budgets of the caller and of the caller’s groups' });
export type OwnBudgetsSummary = z.infer<typeof OwnBudgetsSummary>;
