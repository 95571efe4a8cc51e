import { fieldError } from '@gatehouse/service-kit/http-error';
import { PERIODS } from '../budgets/period.ts';
import { uuid } from '../../validation/text.ts';
import type { BudgetAlertWrite } from './alerts.dto.ts';
import type { AlertState } from './alerts.repository.ts';

/** Maximum number of alerts of a deployment. Each settlement compares all of them. */
export const MAX_ALERTS = 500;

/** Converts a request to the state of an alert. @throws HttpError invalid that names the field */
export function toAlertState(write: BudgetAlertWrite): AlertState {
  const { scope, subject_id, periods } = write;
  if (subject_id !== undefined && scope === undefined)
    throw fieldError('invalid', 'subject_id', 'requires the field scope');
  const subject = scope === 'group' && subject_id !== undefined ? parseGroupId(subject_id) : subject_id;
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

function parseGroupId(text: string): string {
  const result = uuid().safeParse(text);
  if (!result.success) throw fieldError('invalid', 'subject_id', 'must be the UUID of a group');
  return result.data;
}

/** Lists the names of the fields in which two states differ. */
export const listChangedFields = (before: AlertState, after: AlertState): string[] =>
  (Object.keys(after) as (keyof AlertState)[]).filter(
    (field) => field in before && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
