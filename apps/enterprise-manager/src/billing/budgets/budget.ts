import type { Usd } from '@gatehouse/money/usd';
import type { BudgetScope } from './cell.ts';
import type { Period } from './period.ts';

/** What tells budgets apart: a subject has at most one of each period. */
export interface BudgetKey {
  scope: BudgetScope;
  subject_id: string;
  period: Period;
}

/** A budget; `precedence` is its group's, where it has one. */
export interface Budget extends BudgetKey {
  limit: Usd;
  precedence?: number | undefined;
}

/** A budget of a collection that cannot be taken, by its place. */
export interface BudgetFault {
  at: number;
  /** Empty for the budget as a whole. */
  field: '' | 'subject_id' | 'precedence';
  message: string;
}

/** How the audit trail names a budget: `users/alice/month`. */
export const nameOf = ({ scope, subject_id, period }: BudgetKey): string => `${scope}s/${subject_id}/${period}`;

/** How the audit trail names the precedence of a group. */
export const precedenceNameOf = (groupId: string): string => `groups/${groupId}/precedence`;

/**
 * Budgets that have the key of one before them, and groups of which two budgets give different
 * precedences.
 */
export function faultsOf(budgets: readonly Budget[]): BudgetFault[] {
  const places = new Map<string, number>();
  const precedences = new Map<string, { at: number; precedence: number }>();
  return budgets.flatMap((budget, at): BudgetFault[] => {
    const { subject_id, precedence } = budget;
    const before = places.get(nameOf(budget));
    if (before !== undefined)
      return [{ at, field: '', message: `is for the same subject and period as budgets[${before}]` }];
    places.set(nameOf(budget), at);
    if (precedence === undefined) return [];
    const given = precedences.get(subject_id);
    if (given === undefined) precedences.set(subject_id, { at, precedence });
    if (given === undefined || given.precedence === precedence) return [];
    return [{ at, field: 'precedence', message: `differs from that of the same group in budgets[${given.at}]` }];
  });
}

/**
 * The ETag of a version. A version is never used again, so a stale tag never matches a later state.
 */
export const etagOfVersion = (version: number): string => `"${version}"`;
