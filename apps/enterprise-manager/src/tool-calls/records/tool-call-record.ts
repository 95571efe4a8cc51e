import { hash } from 'node:crypto';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import { instantText } from '@gatehouse/service-kit/instant-text';
import { category } from './tool-call.dto.ts';

/** One expression for empty and other text, since a union of two schemas takes longer. */
const optionalLine = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line of text')
    .optional();
const optionalId = () =>
  z
    .string()
    .regex(/^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i, 'must be a UUID')
    .toLowerCase()
    .optional();

export const DECISIONS = ['allowed', 'denied', 'unspecified'] as const;
export const OUTCOMES = ['ok', 'error', 'unspecified'] as const;
/** Maximum number of groups of a record. */
export const MAX_GROUPS = 5_000;
/** Maximum duration in milliseconds: the maximum value of an integer column. */
export const MAX_INT = 2_147_483_647;

/** A tool call as a gateway reports it. Empty text counts as absent. */
export const ToolCallRecord = z
  .strictObject({
    call_id: uuid().describe('UUID v7 of the gateway. A record is stored once, also if it is delivered repeatedly'),
    occurred_at: instantText().describe(
      'Time of the call. A record with a future time, or older than TOOL_CALL_RETENTION_DAYS, is rejected',
    ),
    gateway_id: optionalLine(256).describe('If present, the gateway of the path'),
    environment: optionalLine(256).describe('Default is the environment of the enterprise manager'),
    connector_id: optionalId(),
    connector_name: optionalLine(256),
    tool_name: line(512),
    user_id: optionalId(),
    user_email: optionalLine(320),
    groups: z
      .array(z.strictObject({ id: line(256), name: optionalLine(256) }))
      .max(MAX_GROUPS)
      .optional(),
    decision: z.enum(DECISIONS),
    outcome: z.enum(OUTCOMES),
    category: category(),
    billable: z.boolean(),
    billable_reason: optionalLine(256),
    definition_version: optionalLine(64),
    duration_ms: z.number().int().min(0).max(MAX_INT).optional(),
    arguments_sha256: z
      .string()
      .regex(/^(?:[0-9a-f]{64})?$/, 'must be a SHA-256 in hexadecimal')
      .optional(),
  })
  .meta({ id: 'ToolCallRecord', description: 'A tool call as a gateway reports it' });
export type ToolCallRecord = z.infer<typeof ToolCallRecord>;

/** Computes the SHA-256 of a record. Absent and empty text are equal. */
export function hashRecord(record: ToolCallRecord & { gateway_id: string; environment: string }): string {
  const fields = [
    record.call_id,
    record.occurred_at,
    record.gateway_id,
    record.environment,
    record.connector_id || 0,
    record.connector_name || 0,
    record.tool_name,
    record.user_id || 0,
    record.user_email || 0,
    record.groups?.map(({ id, name }) => (name ? [id, name] : [id])) ?? 0,
    record.decision,
    record.outcome,
    record.category,
    record.billable,
    record.billable_reason || 0,
    record.definition_version || 0,
    record.duration_ms ?? null,
    record.arguments_sha256 || 0,
  ];
  return hash('sha256', JSON.stringify(fields));
}
