import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { PERIODS } from '../budgets/period.ts';
import { line } from '../../validation/text.ts';
import type { StoredAlert } from './alerts.repository.ts';
import { MAX_PERCENT } from './crossings.repository.ts';

const MAX_THRESHOLDS = 20;

const scope = () => z.enum(['user', 'group']);
const periods = () =>
  z
    .array(z.enum(PERIODS))
    .min(1)
    .max(PERIODS.length)
    .refine((list) => new Set(list).size === list.length, 'must not name a period twice');
const thresholds = () =>
  z
    .array(z.int().min(1).max(MAX_PERCENT))
    .min(1)
    .max(MAX_THRESHOLDS)
    .refine((list) => new Set(list).size === list.length, 'must not name a percentage twice')
    .describe('Whole percentages of the limit, each once');

const alert = {
  id: z.guid(),
  name: z.string(),
  scope: scope().optional(),
  subject_id: z.string().optional(),
  periods: periods().optional(),
  thresholds: thresholds().describe('Whole percentages of the limit, rising'),
  url: z.string(),
  allow_private_ips: z.boolean().describe('Whether the target may have a private address, and plain http'),
  enabled: z.boolean().describe('A target that answers 410 switches its alert off'),
  previous_secret_valid_until: z.iso
    .datetime()
    .optional()
    .describe('Until when the secret before the last rotation signs too'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

/** An alert as administrators see it: never its secret. */
export const BudgetAlert = z
  .object(alert)
  .meta({ id: 'BudgetAlert', description: 'Who is told when a budget is used' });
export type BudgetAlert = z.infer<typeof BudgetAlert>;

/** The one answer that holds the secret. */
export const BudgetAlertWithSecret = z
  .object({ ...alert, secret: z.string().describe('Shown this once: `whsec_` and 32 bytes in base64') })
  .meta({ id: 'BudgetAlertWithSecret', description: 'An alert and its new signing secret' });
export type BudgetAlertWithSecret = z.infer<typeof BudgetAlertWithSecret>;

/** A page of alerts. */
export const BudgetAlertPage = z
  .object({ items: z.array(BudgetAlert), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'BudgetAlertPage', description: 'Alerts in the order in which they were made' });
export type BudgetAlertPage = z.infer<typeof BudgetAlertPage>;

/** What the list takes. */
export const BudgetAlertListQuery = z.strictObject({ ...pageParameters() });
export type BudgetAlertListQuery = z.infer<typeof BudgetAlertListQuery>;

/** The whole state of an alert as an administrator writes it. */
export const BudgetAlertWrite = z
  .strictObject({
    name: line(128).describe('What the alert is for'),
    scope: scope().optional().describe('Default: budgets of people and of groups'),
    subject_id: line(1_024)
      .optional()
      .describe(
        'One person or group, as in budgets; needs `scope`. Default: all, also people who have the default budget',
      ),
    periods: periods().optional().describe('Default: all'),
    thresholds: thresholds(),
    url: line(2_048).describe(
      'Where to send; https unless private addresses are allowed. Its address is checked when it is saved and at every delivery',
    ),
    allow_private_ips: z
      .boolean()
      .optional()
      .describe('Default false; covers the host and port of `url` and nothing else'),
    enabled: z.boolean().optional().describe('Default true; deliveries of an alert that is switched off wait'),
  })
  .meta({ id: 'BudgetAlertWrite', description: 'An alert to be made, or its new state' });
export type BudgetAlertWrite = z.infer<typeof BudgetAlertWrite>;

/** A stored alert as administrators see it. */
export const toAlert = (row: StoredAlert, now: Date): BudgetAlert => ({
  id: row.id,
  name: row.name,
  ...(row.scope !== null && { scope: row.scope }),
  ...(row.subject_id !== null && { subject_id: row.subject_id }),
  ...(row.periods !== null && { periods: row.periods }),
  thresholds: row.thresholds,
  url: row.url,
  allow_private_ips: row.allow_private_ips,
  enabled: row.enabled,
  ...(row.previous_valid_until !== null &&
    Date.parse(row.previous_valid_until) > now.getTime() && { previous_secret_valid_until: row.previous_valid_until }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});
