import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line, subjectId } from '../../validation/text.ts';
import { timeRange } from '../spend/time-range.ts';
import { DENIALS } from './admission.dto.ts';

/** Refused admissions of one minute. */
export const BudgetDenial = z
  .object({
    id: z.guid(),
    minute: z.iso.datetime().describe('Beginning of the minute in which the refusals were'),
    last_denied_at: z.iso.datetime(),
    denial_count: z.int().describe('How many refusals this entry stands for'),
    kind: z.enum(['request', 'lease']),
    reason: z.enum(DENIALS),
    gateway_id: z.string(),
    auth_subject: z
      .string()
      .optional()
      .describe('Whose requests, as budgets name the user; absent for a key that does not exist'),
    virtual_key_id: z.string().optional().describe('The virtual key that was presented'),
    provider: z.string().optional().describe('Absent for leases'),
    model: z.string().optional().describe('Absent for leases'),
  })
  .meta({ id: 'BudgetDenial', description: 'Refused admissions of one minute, user, reason and model' });
export type BudgetDenial = z.infer<typeof BudgetDenial>;

/** A page of refused admissions. */
export const BudgetDenialsPage = z
  .object({ denials: z.array(BudgetDenial), next_cursor: z.string().optional().describe('Leads to older ones') })
  .meta({ id: 'BudgetDenialsPage', description: 'Refused admissions, newest first' });
export type BudgetDenialsPage = z.infer<typeof BudgetDenialsPage>;

/** Query of `GET /v1/budgets/denials`. */
export const DenialListQuery = z.strictObject({
  ...timeRange(),
  reason: z.enum(DENIALS).optional(),
  auth_subject: subjectId().optional().describe('Whose requests, exactly'),
  model: line(512).optional().describe('Exact name of the model'),
  gateway_id: line(256).optional(),
  cursor: cursorParameter(),
  limit: limitParameter(50, 200),
});
export type DenialListQuery = z.infer<typeof DenialListQuery>;
