import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { PERIODS } from '../budgets/period.ts';
import { line } from '@gatehouse/service-kit/text';
import type { StoredAlert } from './alerts.repository.ts';
import { MAX_PERCENT } from './crossings.repository.ts';

const MAX_THRESHOLDS = 20;

const scope = () => z.enum(['user', 'group']);
const periods = () =>
  z
    .array(z.enum(PERIODS))
    .min(1)
    .max(PERIODS.length)
    .refine((list) => new Set(list).size === list.length, 'must not contain a period twice');
const thresholds = () =>
  z
    .array(z.int().min(1).max(MAX_PERCENT))
    .min(1)
    .max(MAX_THRESHOLDS)
    .refine((list) => new Set(list).size === list.length, 'must not contain a percentage twice')
    .describe('Percentages of the limit, as integers without repetition');

const alert = {
  id: z.guid(),
  name: z.string(),
  scope: scope().optional(),
  subject_id: z.string().optional(),
  periods: periods().optional(),
  thresholds: thresholds().describe('Percentages of the limit, in ascending order'),
  url: z.string(),
  allow_private_ips: z.boolean().describe('Whether the target may have a private address and use http'),
  enabled: z.boolean().describe('Whether deliveries are sent. A target that responds with 410 disables its alert'),
  previous_secret_valid_until: z.iso
    .datetime()
    .optional()
    .describe('After a rotation: the end of the validity of the previous secret'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

/** An alert as administrators see it, without its secret. */
export const BudgetAlert = z
  .object(alert)
  .meta({ id: 'BudgetAlert', description: 'A webhook endpoint that is called when a budget reaches a threshold' });
export type BudgetAlert = z.infer<typeof BudgetAlert>;

/** The response of creation and rotation, the only ones with the secret. */
export const BudgetAlertWithSecret = z
  .object({
    ...alert,
    secret: z.string().describe('The signing secret: `whsec_` and 32 bytes in base64. No other response contains it'),
  })
  .meta({ id: 'BudgetAlertWithSecret', description: 'An alert with its new signing secret' });
export type BudgetAlertWithSecret = z.infer<typeof BudgetAlertWithSecret>;

/** A page of alerts. */
export const BudgetAlertPage = z
  .object({ items: z.array(BudgetAlert), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'BudgetAlertPage', description: 'Alerts in the order of their creation' });
export type BudgetAlertPage = z.infer<typeof BudgetAlertPage>;

/** Query of `GET /v1/budgets/alerts`. */
export const BudgetAlertListQuery = z.strictObject({ ...pageParameters() });
export type BudgetAlertListQuery = z.infer<typeof BudgetAlertListQuery>;

/** Body of the creation and replacement of an alert. */
export const BudgetAlertWrite = z
  .strictObject({
    name: line(128).describe('Display name'),
    scope: scope().optional().describe('The kind of budgets to watch. Default: budgets of users and of groups'),
    subject_id: line(1_024)
      .optional()
      .describe(
        'The user or group to watch, as in budgets; requires `scope`. Default: all, including users with the default budget',
      ),
    periods: periods().optional().describe('The periods to watch. Default: all'),
    thresholds: thresholds(),
    url: line(2_048).describe(
      'The endpoint that receives deliveries. It must use https unless private addresses are allowed. Its address is checked when the alert is saved and at each delivery',
    ),
    allow_private_ips: z
      .boolean()
      .optional()
      .describe('Allows a private address and http for the host and port of `url`. Default: false'),
    enabled: z.boolean().optional().describe('Default: true. Deliveries of a disabled alert stay pending'),
  })
  .meta({ id: 'BudgetAlertWrite', description: 'The settings of an alert' });
export type BudgetAlertWrite = z.infer<typeof BudgetAlertWrite>;

/** Converts a stored alert to the DTO. */
export const toBudgetAlert = (row: StoredAlert, now: Date): BudgetAlert => ({
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
