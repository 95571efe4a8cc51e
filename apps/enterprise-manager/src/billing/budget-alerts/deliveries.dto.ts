import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { PERIODS } from '../budgets/period.ts';
import { uuid } from '../../validation/text.ts';
import { windowOf } from './alert-payload.ts';
import type { StoredDelivery } from './deliveries.repository.ts';

const state = () => z.enum(['pending', 'delivered', 'failed']);

/** A delivery: what is sent, and what came of it. */
export const BudgetAlertDelivery = z
  .object({
    id: z.guid().describe('The `webhook-id` of every attempt'),
    alert_id: z.guid(),
    sequence: z.int().describe('Grows with every delivery; gaps mean nothing'),
    kind: z.enum(['crossing', 'test']).describe('Whether a threshold was crossed, or somebody tried the alert out'),
    scope: z.enum(['user', 'group']),
    subject_id: z.string(),
    period: z.enum(PERIODS),
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime(),
    threshold_percent: z.int(),
    limit_usd: z.string(),
    used_usd: z.string().describe('When the crossing was noticed'),
    reserved_usd: z.string(),
    state: state().describe('`failed` after the last attempt; `pending` before, also while the alert is switched off'),
    attempts: z
      .array(
        z.object({
          at: z.iso.datetime(),
          status: z.int().optional().describe('HTTP status of the answer'),
          error: z.string().optional().describe('Why the attempt failed, in one sentence'),
        }),
      )
      .describe('Oldest first; the last 50'),
    next_attempt_at: z.iso
      .datetime()
      .optional()
      .describe('Of a pending delivery; during an attempt, when it would be repeated'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'BudgetAlertDelivery', description: 'One threshold of one budget in one window, told to one target' });
export type BudgetAlertDelivery = z.infer<typeof BudgetAlertDelivery>;

/** A page of deliveries. */
export const BudgetAlertDeliveryPage = z
  .object({
    items: z.array(BudgetAlertDelivery),
    next_cursor: z.string().optional(),
    prev_cursor: z.string().optional(),
  })
  .meta({ id: 'BudgetAlertDeliveryPage', description: 'Deliveries of an alert, newest first' });
export type BudgetAlertDeliveryPage = z.infer<typeof BudgetAlertDeliveryPage>;

/** What the list takes. */
export const BudgetAlertDeliveryListQuery = z.strictObject({
  state: state().optional().describe('Only deliveries of this state'),
  ...pageParameters(),
});
export type BudgetAlertDeliveryListQuery = z.infer<typeof BudgetAlertDeliveryListQuery>;

/** The path of a delivery. */
export const DeliveryPath = z.strictObject({ id: uuid(), delivery_id: uuid() });
export type DeliveryPath = z.infer<typeof DeliveryPath>;

/** A stored delivery as administrators see it. */
export const toDelivery = (row: StoredDelivery): BudgetAlertDelivery => ({
  id: row.id,
  alert_id: row.alert_id,
  sequence: row.sequence,
  kind: row.kind,
  scope: row.scope,
  subject_id: row.subject_id,
  period: row.period,
  ...windowOf(row),
  threshold_percent: row.threshold_percent,
  limit_usd: row.limit_usd,
  used_usd: row.used_usd,
  reserved_usd: row.reserved_usd,
  state: row.state,
  attempts: row.attempts,
  ...(row.next_attempt_at !== null && { next_attempt_at: row.next_attempt_at }),
  created_at: row.created_at,
});
