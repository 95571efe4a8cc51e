import {
  type Check,
  isInstant,
  listOf,
  matching,
  members,
  oneOf,
  optional,
  plainText,
  whole,
} from '@gatehouse/service-kit/plain-value';
import { category } from './metering.dto.ts';
import { DECISIONS, MAX_GROUPS, MAX_INT, OUTCOMES, type ToolCallRecord } from './tool-call-record.ts';

const isUuid = matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** Ids in lower case: others are changed. */
const id = optional((value) => value === '' || isUuid(value));
const line = (maximum: number): Check => optional(plainText(maximum, 0));

const MEMBERS: Readonly<Record<keyof ToolCallRecord, Check>> = {
  call_id: isUuid,
  occurred_at: isInstant,
  gateway_id: line(256),
  environment: line(256),
  connector_id: id,
  connector_name: line(256),
  tool_name: plainText(512),
  user_id: id,
  user_email: line(320),
  groups: optional(listOf(members({ id: plainText(256), name: line(256) }), MAX_GROUPS)),
  decision: oneOf(DECISIONS),
  outcome: oneOf(OUTCOMES),
  category: oneOf(category().options),
  billable: (value) => typeof value === 'boolean',
  billable_reason: line(256),
  definition_version: line(64),
  duration_ms: optional(whole(0, MAX_INT)),
  arguments_sha256: optional(matching(/^(?:[0-9a-f]{64})?$/)),
};
const isRecord = members(MEMBERS);

/**
 * Whether a parsed JSON value is a record that `ToolCallRecord` would take as it is. It says so of
 * nearly all that gateways send, in a tenth of the time; of what it does not, `ToolCallRecord` has
 * to judge.
 */
export const isPlainRecord = (item: unknown): item is ToolCallRecord => isRecord(item);
