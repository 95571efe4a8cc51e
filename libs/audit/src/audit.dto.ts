import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { filterText, time } from '@gatehouse/service-kit/text';
import type { Stored } from '@gatehouse/database/stored';
import type { AuditEventRow } from './audit-event.entity.ts';

const outcome = () => z.enum(['succeeded', 'forbidden']);

/** An audit event. */
export const AuditEvent = z
  .object({
    id: z.guid(),
    occurred_at: z.iso.datetime(),
    request_id: z.string().describe('The `X-Request-Id` of the request'),
    issuer: z.string().describe('The issuer of the caller’s token'),
    subject: z.string().describe('The subject of the caller’s token; `issuer` and `subject` identify the caller'),
    subject_id: z.string().describe('The caller in the form that budgets, charges and users use'),
    operation: z.string().describe('The name of the operation in this reference, for example `Update connector`'),
    object_kind: z.string().optional().describe('The kind of the changed object'),
    object_id: z.string().optional().describe('The changed object, or the object of the refused request'),
    outcome: outcome().describe('`succeeded`: the change was stored; `forbidden`: the request was answered 403'),
    changed_fields: z.array(z.string()).describe('The names of the changed fields, without values'),
    occurrences: z
      .int()
      .min(1)
      .describe('The number of requests; more than one if a caller was refused many times in a short time'),
  })
  .meta({ id: 'AuditEvent', description: 'A change, or a request that was answered 403' });
export type AuditEvent = z.infer<typeof AuditEvent>;

/** A page of audit events. */
export const AuditEventPage = z
  .object({ items: z.array(AuditEvent), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'AuditEventPage', description: 'Audit events, newest first' });
export type AuditEventPage = z.infer<typeof AuditEventPage>;

/** The query of `GET /v1/audit-events`. */
export const AuditEventListQuery = z.strictObject({
  operation: filterText().optional(),
  issuer: filterText().optional(),
  subject: filterText().optional(),
  subject_id: filterText()
    .optional()
    .describe('The caller, as `subject_id` of a user; not together with `issuer` or `subject`'),
  object_kind: filterText().optional(),
  object_id: filterText().optional(),
  outcome: outcome().optional(),
  request_id: filterText().optional(),
  from: time().optional().describe('Earliest time, inclusive'),
  to: time().optional().describe('Latest time, exclusive'),
  ...pageParameters(),
});
export type AuditEventListQuery = z.infer<typeof AuditEventListQuery>;

/** Converts a stored event for clients. @param subject_id see `getOwnerRef` */
export const toAuditEvent = (
  { object_kind, object_id, ...event }: Stored<AuditEventRow>,
  subject_id: string,
): AuditEvent => ({
  ...event,
  subject_id,
  ...(object_kind !== null && { object_kind }),
  ...(object_id !== null && { object_id }),
});
