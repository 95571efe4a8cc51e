import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { filterText, time } from '../validation/text.ts';
import type { Stored } from '../database/stored.ts';
import type { AuditEventRow } from './audit-event.entity.ts';

const outcome = () => z.enum(['succeeded', 'forbidden']);

/** One line of the audit trail. */
export const AuditEvent = z
  .object({
    id: z.guid(),
    occurred_at: z.iso.datetime(),
    request_id: z.string(),
    issuer: z.string(),
    subject: z.string().describe('Who asked, together with `issuer`'),
    subject_id: z.string().describe('The same caller as budgets, charges and users name one'),
    operation: z.string().describe('Name of the operation, as in the reference'),
    object_kind: z.string().optional(),
    object_id: z.string().optional(),
    outcome: outcome().describe('`succeeded`: the change was made; `forbidden`: the caller was answered 403'),
    changed_fields: z.array(z.string()).describe('Names of what changed, never values'),
    occurrences: z
      .int()
      .min(1)
      .describe('How many requests this line stands for: more than one where a caller was refused over and over'),
  })
  .meta({ id: 'AuditEvent', description: 'A change that was made, or a request that was forbidden' });
export type AuditEvent = z.infer<typeof AuditEvent>;

/** A page of the audit trail. */
export const AuditEventPage = z
  .object({ items: z.array(AuditEvent), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'AuditEventPage', description: 'Events, newest first' });
export type AuditEventPage = z.infer<typeof AuditEventPage>;

/** What `GET /v1/audit-events` takes. */
export const AuditEventListQuery = z.strictObject({
  operation: filterText().optional(),
  issuer: filterText().optional(),
  subject: filterText().optional(),
  subject_id: filterText().optional().describe('Who asked, as `subject_id` of a user; not with `issuer` or `subject`'),
  object_kind: filterText().optional(),
  object_id: filterText().optional(),
  outcome: outcome().optional(),
  request_id: filterText().optional(),
  from: time().optional().describe('Earliest time, inclusive'),
  to: time().optional().describe('Latest time, exclusive'),
  ...pageParameters(),
});
export type AuditEventListQuery = z.infer<typeof AuditEventListQuery>;

/** A stored event as clients see it. @param subject_id see `personRef` */
export const toAuditEvent = (
  { object_kind, object_id, ...event }: Stored<AuditEventRow>,
  subject_id: string,
): AuditEvent => ({
  ...event,
  subject_id,
  ...(object_kind !== null && { object_kind }),
  ...(object_id !== null && { object_id }),
});
