import { readUsd, writeUsd } from '@gatehouse/money/usd';
import { checkedInTurns } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import type { Budget } from './budget.ts';
import { PERIODS } from './period.ts';

/** Maximum length of `subject_id`: an issuer id, a slash and a subject of 255 characters. */
const MAX_SUBJECT_LENGTH = 320;

/** A limit in USD: a decimal string for `readUsd`. */
const limitUsd = () =>
  z
    .string()
    .regex(
      /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,9})?$/,
      'must be a decimal such as "12.50", with at most 12 digits before its point and 9 after it, without sign or exponent',
    )
    .describe('Limit in USD, a decimal string. A limit below the current usage denies further requests');

const period = () => z.enum(PERIODS).describe('The calendar day, month or year in UTC to which the limit applies');

const precedence = () =>
  z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .describe(
      'Position of the group among the groups of a user: the group with the lowest number pays first, and groups without one pay last. Default: the stored precedence stays',
    );

/** The `subject_id` of a user. */
export const userSubjectId = () =>
  line(MAX_SUBJECT_LENGTH).describe(
    'The subject of the user’s token, or `<issuer id>/<subject>` for further issuers. The user need not exist yet. A directory id is refused',
  );

/** A budget in requests and responses. */
export const BudgetSpec = z
  .strictObject({
    scope: z.enum(['user', 'group']),
    subject_id: line(MAX_SUBJECT_LENGTH).describe(
      'For users: the subject of the token, or `<issuer id>/<subject>` for further issuers. For groups: the UUID',
    ),
    limit_usd: limitUsd(),
    period: period(),
    precedence: precedence(),
  })
  .superRefine(({ scope, subject_id, precedence: given }, context) => {
    if (scope === 'group' && !uuid().safeParse(subject_id).success)
      context.addIssue({ code: 'custom', path: ['subject_id'], message: 'must be the UUID of a group' });
    if (scope === 'user' && given !== undefined)
      context.addIssue({ code: 'custom', path: ['precedence'], message: 'is only allowed for budgets of groups' });
  })
  .meta({
    id: 'BudgetSpec',
    description: 'The limit of a user or group in each window of a period',
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

/** Maximum number of budgets in a collection. */
export const MAX_BUDGETS = 20_000;

/** All budgets. */
export const BudgetCollection = z
  .strictObject({
    budgets: z.array(checkedInTurns(BudgetSpec)).max(MAX_BUDGETS).describe('At most one for each subject and period'),
  })
  .meta({ id: 'BudgetCollection', description: 'All budgets, groups first, then by subject and period' });
export type BudgetCollection = z.infer<typeof BudgetCollection>;

/** Body and response of the operations on the default user budget. */
export const DefaultUserBudget = z.strictObject({ limit_usd: limitUsd(), period: period() }).meta({
  id: 'DefaultUserBudget',
  description: 'The limit of each user without a budget of their own for the period',
});
export type DefaultUserBudget = z.infer<typeof DefaultUserBudget>;

/** Body of `PUT /v1/budgets/users/{id}`. */
export const UserBudgetWrite = z
  .strictObject({ limit_usd: limitUsd(), period: period() })
  .meta({ id: 'UserBudgetWrite', description: 'The limit of a user for one period' });
export type UserBudgetWrite = z.infer<typeof UserBudgetWrite>;

/** Body of `PUT /v1/budgets/groups/{id}`. */
export const GroupBudgetWrite = z
  .strictObject({ limit_usd: limitUsd(), period: period(), precedence: precedence() })
  .meta({
    id: 'GroupBudgetWrite',
    description: 'The limit of a group for one period, and the precedence of the group',
  });
export type GroupBudgetWrite = z.infer<typeof GroupBudgetWrite>;

/** Path parameters of the operations on budgets of a user. */
export const UserBudgetPath = z.strictObject({ id: userSubjectId() });
export type UserBudgetPath = z.infer<typeof UserBudgetPath>;

/** Converts a DTO to a budget. Group ids become lower case, as in the directory. */
export const toBudget = ({ scope, subject_id, period: of, limit_usd, precedence: given }: BudgetSpec): Budget => ({
  scope,
  subject_id: scope === 'group' ? subject_id.toLowerCase() : subject_id,
  period: of,
  limit: readUsd(limit_usd),
  ...(given !== undefined && { precedence: given }),
});

/** Converts a stored budget to the DTO. */
export const toBudgetSpec = ({ scope, subject_id, period: of, limit, precedence: stored }: Budget): BudgetSpec => ({
  scope,
  subject_id,
  limit_usd: writeUsd(limit),
  period: of,
  ...(stored !== undefined && { precedence: stored }),
});
