import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { subjectId } from '../../validation/text.ts';
import { timeRange } from '../spend/time-range.ts';
import { DENIAL_REASONS } from './admission.dto.ts';

/** The number of equal denials in one minute. */
export const BudgetDenial = z
  .object({
    id: z.guid(),
    minute: z.iso.datetime().describe('The start of the minute of the denials'),
    last_denied_at: z.iso.datetime(),
    denial_count: z.int().describe('The number of denials in this minute'),
    kind: z.enum(['request', 'lease']),
    reason: z.enum(DENIAL_REASONS),
    gateway_id: z.string(),
    auth_subject: z
      .string()
      .optional()
      .describe('The user of the requests, as budgets name it; absent for a key that does not exist'),
    virtual_key_id: z.string().optional().describe('The virtual key that the client presented'),
    provider: z.string().optional().describe('Absent for leases'),
    model: z.string().optional().describe('Absent for leases'),
  })
  .meta({ id: 'BudgetDenial', description: 'The denials of one minute, user, reason and model' });
export type BudgetDenial = z.infer<typeof BudgetDenial>;

/** A page of denials. */
export const BudgetDenialsPage = z
  .object({
    denials: z.array(BudgetDenial),
    next_cursor: z.string().optional().describe('The cursor of the page with older denials'),
  })
  .meta({ id: 'BudgetDenialsPage', description: 'Denials, newest first' });
export type BudgetDenialsPage = z.infer<typeof BudgetDenialsPage>;

/** Query of `GET /v1/budgets/denials`. */
export const DenialListQuery = z.strictObject({
  ...timeRange(),
  reason: z.enum(DENIAL_REASONS).optional(),
  auth_subject: subjectId().optional().describe('The exact user of the requests'),
  model: line(512).optional().describe('Exact name of the model'),
  gateway_id: line(256).optional(),
  cursor: cursorParameter(),
  limit: limitParameter(50, 200),
});
export type DenialListQuery = z.infer<typeof DenialListQuery>;
