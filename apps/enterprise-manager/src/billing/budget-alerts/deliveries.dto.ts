import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { PERIODS } from '../budgets/period.ts';
import { uuid } from '../../validation/text.ts';
import { formatWindow } from './alert-payload.ts';
import type { StoredDelivery } from './deliveries.repository.ts';

const state = () => z.enum(['pending', 'delivered', 'failed']);

/** A delivery with its attempts. */
export const BudgetAlertDelivery = z
  .object({
    id: z.guid().describe('The `webhook-id` of all attempts'),
    alert_id: z.guid(),
    sequence: z.int().describe('Increases with each delivery; gaps have no meaning'),
    kind: z.enum(['crossing', 'test']).describe('`crossing` of a threshold, or `test` by an administrator'),
    scope: z.enum(['user', 'group']),
    subject_id: z.string(),
    period: z.enum(PERIODS),
    period_start: z.iso.datetime(),
    period_end: z.iso.datetime(),
    threshold_percent: z.int(),
    limit_usd: z.string(),
    used_usd: z.string().describe('The usage at the detection of the crossing'),
    reserved_usd: z.string(),
    state: state().describe(
      '`pending` until a success or the last attempt, also while the alert is disabled; then `delivered` or `failed`',
    ),
    attempts: z
      .array(
        z.object({
          at: z.iso.datetime(),
          status: z.int().optional().describe('HTTP status of the response'),
          error: z.string().optional().describe('The reason of the failure, in one sentence'),
        }),
      )
      .describe('The last 50 attempts, oldest first'),
    next_attempt_at: z.iso
      .datetime()
      .optional()
      .describe(
        'The time of the next attempt of a pending delivery; during an attempt, the time at which it would be repeated',
      ),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'BudgetAlertDelivery',
    description: 'The delivery of one crossed threshold of a budget window to the target of an alert',
  });
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

/** Query of `GET /v1/budgets/alerts/{id}/deliveries`. */
export const BudgetAlertDeliveryListQuery = z.strictObject({
  state: state().optional().describe('Only deliveries in this state'),
  ...pageParameters(),
});
export type BudgetAlertDeliveryListQuery = z.infer<typeof BudgetAlertDeliveryListQuery>;

/** Path parameters of the operations on a delivery. */
export const DeliveryPath = z.strictObject({ id: uuid(), delivery_id: uuid() });
export type DeliveryPath = z.infer<typeof DeliveryPath>;

/** Converts a stored delivery to the DTO. */
export const toBudgetAlertDelivery = (row: StoredDelivery): BudgetAlertDelivery => ({
  id: row.id,
  alert_id: row.alert_id,
  sequence: row.sequence,
  kind: row.kind,
  scope: row.scope,
  subject_id: row.subject_id,
  period: row.period,
  ...formatWindow(row),
  threshold_percent: row.threshold_percent,
  limit_usd: row.limit_usd,
  used_usd: row.used_usd,
  reserved_usd: row.reserved_usd,
  state: row.state,
  attempts: row.attempts,
  ...(row.next_attempt_at !== null && { next_attempt_at: row.next_attempt_at }),
  created_at: row.created_at,
});
