import { HttpError, type HttpErrorKind } from '@gatehouse/service-kit/http-error';
import { type Budget, getAuditName } from './budget.ts';
import { UNKNOWN_SUBJECT } from './subject-resolver.ts';

/** A violation of a rule by one budget of a collection. */
export interface BudgetViolation {
  /** The index of the budget in the collection. */
  index: number;
  /** Empty for the budget as a whole. */
  field: '' | 'subject_id' | 'precedence';
  message: string;
}

/** Finds budgets with a repeated key, and different precedences of one group. */
export function findContradictions(budgets: readonly Budget[]): BudgetViolation[] {
  const indexes = new Map<string, number>();
  const precedences = new Map<string, { index: number; precedence: number }>();
  return budgets.flatMap((budget, index): BudgetViolation[] => {
    const { subject_id, precedence } = budget;
    const duplicate = indexes.get(getAuditName(budget));
    if (duplicate !== undefined)
      return [{ index, field: '', message: `is for the same subject and period as budgets[${duplicate}]` }];
    indexes.set(getAuditName(budget), index);
    if (precedence === undefined) return [];
    const first = precedences.get(subject_id);
    if (first === undefined) precedences.set(subject_id, { index, precedence });
    if (first === undefined || first.precedence === precedence) return [];
    return [{ index, field: 'precedence', message: `differs from that of the same group in budgets[${first.index}]` }];
  });
}

/** Finds budgets whose `subject_id` names an issuer but no subject. */
export const findUnknownSubjects = (budgets: readonly Budget[]): BudgetViolation[] =>
  budgets.flatMap(({ subject_id }, index) =>
    subject_id === '' ? [{ index, field: 'subject_id', message: UNKNOWN_SUBJECT }] : [],
  );

/** Finds budgets of groups that do not exist. @param groups the existing groups */
export const findUnknownGroups = (budgets: readonly Budget[], groups: ReadonlySet<string>): BudgetViolation[] =>
  budgets.flatMap(({ scope, subject_id }, index) =>
    scope === 'user' || groups.has(subject_id)
      ? []
      : [{ index, field: 'subject_id', message: `there is no group ${subject_id}` }],
  );

/** Maximum number of violations in the message of an error. */
const MAX_IN_MESSAGE = 5;
/** Maximum number of violations in the body of an error. */
const MAX_IN_BODY = 50;

/** @throws HttpError that names the first violations, if there are any */
export function throwIfViolated(kind: HttpErrorKind, violations: readonly BudgetViolation[]): void {
  if (violations.length === 0) return;
  const sentences = violations
    .slice(0, MAX_IN_MESSAGE)
    .map(({ index, field, message }) => `budgets[${index}]${field && '.'}${field}: ${message}`);
  const more = violations.length > MAX_IN_MESSAGE ? `; and ${violations.length - MAX_IN_MESSAGE} more` : '';
  throw new HttpError(kind, sentences.join('; ') + more, {
    violations: violations.slice(0, MAX_IN_BODY).map(({ index, field, message }) => ({
      field: `/budgets/${index}${field && '/'}${field}`,
      message,
    })),
  });
}
