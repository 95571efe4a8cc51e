import { readUsd, writeUsd } from '@gatehouse/money/usd';
import { checkedInTurns } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { line, uuid } from '../../validation/text.ts';
import type { Budget } from './budget.ts';
import { PERIODS } from './period.ts';

/** Longest `subject_id`: an issuer's id, a slash and a subject of 255 characters. */
const MAX_SUBJECT = 320;

/** A limit in USD: a decimal string, as `readUsd` reads it. */
const limitUsd = () =>
  z
    .string()
    .regex(
      /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,9})?$/,
      'must be a decimal such as "12.50", with at most 12 digits before its point and 9 after it, without sign or exponent',
    )
    .describe('Limit in USD, a decimal string; a limit below what is used already blocks');

const period = () => z.enum(PERIODS).describe('A calendar window in UTC');

const precedence = () =>
  z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .describe(
      'Place of the group in the order in which groups are asked to pay, the lowest first; a group without one comes after all that have one. Left out, what is stored stays',
    );

/** How budgets name a person. */
export const personId = () =>
  line(MAX_SUBJECT).describe(
    'Subject of the token for people of the first configured issuer, `<issuer id>/<subject>` for others; nobody need have it yet. Never the id of the directory, which is refused',
  );

/** A limit of a person or of a group. */
export const BudgetSpec = z
  .strictObject({
    scope: z.enum(['user', 'group']),
    subject_id: line(MAX_SUBJECT).describe(
      'Of a user: subject of the token, `<issuer id>/<subject>` for further issuers. Of a group: its UUID',
    ),
    limit_usd: limitUsd(),
    period: period(),
    precedence: precedence(),
  })
  .superRefine(({ scope, subject_id, precedence: given }, context) => {
    if (scope === 'group' && !uuid().safeParse(subject_id).success)
      context.addIssue({ code: 'custom', path: ['subject_id'], message: 'must be the UUID of a group' });
    if (scope === 'user' && given !== undefined)
      context.addIssue({ code: 'custom', path: ['precedence'], message: 'is for budgets of groups alone' });
  })
  .meta({
    id: 'BudgetSpec',
    description: 'What a person or a group may spend in each window of a period',
    examples: [
      {
        scope: 'group',
        subject_id: '0197a3c2-ad93-76fc-abed-631fa67e05c3',
        limit_usd: '2500',
        period: 'month',
        precedence: 10,
      },
    ],
  });
export type BudgetSpec = z.infer<typeof BudgetSpec>;

/** Most budgets of a collection. */
export const MAX_BUDGETS = 20_000;

/** All budgets. */
export const BudgetCollection = z
  .strictObject({
    budgets: z.array(checkedInTurns(BudgetSpec)).max(MAX_BUDGETS).describe('At most one for each subject and period'),
  })
  .meta({ id: 'BudgetCollection', description: 'All budgets, groups first, then by subject and period' });
export type BudgetCollection = z.infer<typeof BudgetCollection>;

/** What people without a budget of their own may spend. */
export const DefaultUserBudget = z.strictObject({ limit_usd: limitUsd(), period: period() }).meta({
  id: 'DefaultUserBudget',
  description: 'What each person may spend who has no budget of their own at its period',
});
export type DefaultUserBudget = z.infer<typeof DefaultUserBudget>;

/** A limit of the person of the path. */
export const UserBudgetWrite = z
  .strictObject({ limit_usd: limitUsd(), period: period() })
  .meta({ id: 'UserBudgetWrite', description: 'A limit for one period; limits of other periods stay' });
export type UserBudgetWrite = z.infer<typeof UserBudgetWrite>;

/** A limit of the group of the path. */
export const GroupBudgetWrite = z
  .strictObject({ limit_usd: limitUsd(), period: period(), precedence: precedence() })
  .meta({
    id: 'GroupBudgetWrite',
    description: 'A limit for one period, and the place of the group in the payer order; limits of other periods stay',
  });
export type GroupBudgetWrite = z.infer<typeof GroupBudgetWrite>;

/** The path of a person's budgets. */
export const UserBudgetPath = z.strictObject({ id: personId() });
export type UserBudgetPath = z.infer<typeof UserBudgetPath>;

/** A budget as it was given; the id of a group as the directory writes it. */
export const toBudget = ({ scope, subject_id, period: of, limit_usd, precedence: given }: BudgetSpec): Budget => ({
  scope,
  subject_id: scope === 'group' ? subject_id.toLowerCase() : subject_id,
  period: of,
  limit: readUsd(limit_usd),
  ...(given !== undefined && { precedence: given }),
});

/** A stored budget as administrators see it. */
export const toBudgetSpec = ({ scope, subject_id, period: of, limit, precedence: held }: Budget): BudgetSpec => ({
  scope,
  subject_id,
  limit_usd: writeUsd(limit),
  period: of,
  ...(held !== undefined && { precedence: held }),
});
