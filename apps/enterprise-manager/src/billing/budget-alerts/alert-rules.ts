import { fieldError } from '@gatehouse/service-kit/http-error';
import { PERIODS } from '../budgets/period.ts';
import { uuid } from '../../validation/text.ts';
import type { BudgetAlertWrite } from './alerts.dto.ts';
import type { AlertState } from './alerts.repository.ts';

/** Alerts of a deployment at most: every settlement looks through all of them. */
export const MAX_ALERTS = 500;

/** The state that a write stands for. @throws HttpError invalid that names the field */
export function stateOf(write: BudgetAlertWrite): AlertState {
  const { scope, subject_id, periods } = write;
  if (subject_id !== undefined && scope === undefined)
    throw fieldError('invalid', 'subject_id', 'needs scope beside it');
  const subject = scope === 'group' && subject_id !== undefined ? groupId(subject_id) : subject_id;
  return {
    name: write.name,
    scope: scope ?? null,
    subject_id: subject ?? null,
    periods: periods === undefined ? null : PERIODS.filter((period) => periods.includes(period)),
    thresholds: [...write.thresholds].sort((a, b) => a - b),
    url: write.url,
    allow_private_ips: write.allow_private_ips ?? false,
    enabled: write.enabled ?? true,
  };
}

function groupId(text: string): string {
  const read = uuid().safeParse(text);
  if (!read.success) throw fieldError('invalid', 'subject_id', 'must be the UUID of a group');
  return read.data;
}

/** Names of the fields in which two states differ. */
export const changedFields = (before: AlertState, after: AlertState): string[] =>
  (Object.keys(after) as (keyof AlertState)[]).filter(
    (field) => field in before && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
