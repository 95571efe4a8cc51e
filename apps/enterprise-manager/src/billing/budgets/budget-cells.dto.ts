import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { filterText, time } from '../../validation/text.ts';
import { PERIODS } from './period.ts';

const amounts = {
  limit_usd: z.string(),
  used_usd: z.string().describe('Sum of the charges whose event lies in the window'),
  remaining_usd: z.string().describe('`limit_usd` minus `used_usd`, not below 0; `reserved_usd` is still part of it'),
  reserved_usd: z
    .string()
    .describe('What requests under way and leases hold at the moment; new requests have `remaining_usd` minus this'),
};

const window = {
  period_start: z.iso.datetime().describe('First moment of the window'),
  period_end: z.iso.datetime().describe('First moment after the window'),
};

const cell = {
  scope: z.enum(['user', 'group']),
  subject_id: z.string(),
  period: z.enum(PERIODS),
  ...amounts,
  ...window,
  on_default: z.boolean().describe('Whether the limit is that of the default user budget'),
};

const ORDINAL =
  'Place of the payer among all payers: 1 for a user, who pays first; groups follow from 2 on by precedence, then id, over all groups with a budget. The same group has the same place in every list';

/** A window of a budget, with what is used of it. */
export const BudgetCell = z
  .object({
    ...cell,
    ordinal: z.int().min(1).describe(ORDINAL),
  })
  .meta({ id: 'BudgetCell', description: 'A window of a budget, with what is used of it' });
export type BudgetCell = z.infer<typeof BudgetCell>;

/** A page of cells. */
export const BudgetCellsPage = z
  .object({
    at: z.iso.datetime().describe('The moment whose windows are shown'),
    limits_as_of: z.iso
      .datetime()
      .describe(
        'The moment of the limits: always that of the answer, also where `at` is another one. Limits of the past are not kept',
      ),
    cells: z.array(BudgetCell),
    next_cursor: z.string().optional(),
  })
  .meta({ id: 'BudgetCellsPage', description: 'Cells: groups first, then by subject and period' });
export type BudgetCellsPage = z.infer<typeof BudgetCellsPage>;

/** What `GET /v1/budgets/summary` takes. */
export const BudgetCellsQuery = z.strictObject({
  scope: z.enum(['user', 'group']).optional(),
  subject: filterText().optional().describe('Beginning of `subject_id`'),
  at: z
    .union([z.iso.date(), time()], {
      error: 'must be a date or a time as in RFC 3339, for example 2026-01-31 or 2026-01-31T09:00:00Z',
    })
    .refine((text) => new Date(text).getUTCFullYear() < 9_999, 'must be before the year 9999')
    .optional()
    .describe('A moment of the windows to show, RFC 3339 or a date; default now. Limits are those of today'),
  cursor: cursorParameter(),
  limit: limitParameter(50, 200),
});
export type BudgetCellsQuery = z.infer<typeof BudgetCellsQuery>;

/** A window of a budget that may pay for the caller. */
export const OwnBudgetCell = z
  .object({
    ...cell,
    ordinal: z.int().min(1).describe(ORDINAL),
    my_contribution_usd: z.string().optional().describe('On rows of groups: what the caller has used of `used_usd`'),
  })
  .meta({ id: 'OwnBudgetCell', description: 'A window of a budget that may pay for the caller; of a group only sums' });
export type OwnBudgetCell = z.infer<typeof OwnBudgetCell>;

/** The caller's own budget of one period. */
export const PersonalBudgetCard = z
  .object({ ...amounts, ...window, budgets: z.int().describe('How many budgets of the caller’s own it shows') })
  .meta({
    id: 'PersonalBudgetCard',
    description: 'The caller’s own budget of one period, or the default user budget where that holds for them',
  });
export type PersonalBudgetCard = z.infer<typeof PersonalBudgetCard>;

/** What the caller may spend. */
export const OwnBudgetsSummary = z
  .object({
    subject: z.string().describe('How budgets and charges name the caller'),
    budgets: z.array(OwnBudgetCell).describe('In the order in which they are asked to pay'),
    day: PersonalBudgetCard.optional().describe('Absent when the caller has no own budget of a day'),
    month: PersonalBudgetCard.optional().describe('Absent when the caller has no own budget of a month'),
  })
  .meta({ id: 'OwnBudgetsSummary', description: 'What the caller may spend, alone and as a member of groups' });
export type OwnBudgetsSummary = z.infer<typeof OwnBudgetsSummary>;
