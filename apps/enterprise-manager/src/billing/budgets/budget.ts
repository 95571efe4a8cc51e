import type { Usd } from '@gatehouse/money/usd';
import type { BudgetScope } from './cell.ts';
import type { Period } from './period.ts';

/** The key of a budget: a subject has at most one budget for each period. */
export interface BudgetKey {
  scope: BudgetScope;
  subject_id: string;
  period: Period;
}

/** A budget. `precedence` belongs to the group and is the same in all budgets of the group. */
export interface Budget extends BudgetKey {
  limit: Usd;
  precedence?: number | undefined;
}

/** Returns the name of a budget in the audit trail: `users/alice/month`. */
export const getAuditName = ({ scope, subject_id, period }: BudgetKey): string => `${scope}s/${subject_id}/${period}`;

/** Returns the name of a group's precedence in the audit trail. */
export const getPrecedenceAuditName = (groupId: string): string => `groups/${groupId}/precedence`;

/** Returns the ETag of a version. Versions are never reused, so an old tag never matches again. */
export const toETag = (version: number): string => `"${version}"`;
