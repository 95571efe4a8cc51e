import { statement } from '@gatehouse/database/statement';
import type { DataSource } from 'typeorm';
import type { DeliveryState } from './tool-call.entity.ts';

/** A call this soon after an equal failed call counts as a retry. */
const RETRY_SECONDS = 10;

/** The state of the record of a finished call: `kept` in local mode, else `ready` for delivery. */
export type FinalState = Extract<DeliveryState, 'ready' | 'kept'>;

/** A new record: the columns of `tool_calls` that the gateway sets at once. */
export interface NewRecord {
  call_id: string;
  occurred_at: string;
  issuer: string;
  subject: string;
  user_id: string | null;
  user_email: string | null;
  group_ids: readonly string[];
  connector_id: string | null;
  connector_name: string | null;
  tool_name: string;
  arguments_sha256: string | null;
  definition_version: string | null;
  decision: string;
  outcome: string;
  /** Null for a call that reached its upstream: an invocation, or a retry of the user. */
  category: string | null;
  billable: boolean;
  billable_reason: string;
  duration_ms: number | null;
  state: 'open' | FinalState;
}

/**
 * A call after an equal failed call of the user is a retry, over all replicas. Postgres plans the
 * statement once for each connection: to plan it costs more than to insert ten rows.
 */
const INSERT = `
  INSERT INTO tool_calls (call_id, occurred_at, issuer, subject, user_id, user_email, group_ids, connector_id, connector_name, tool_name,
                          arguments_sha256, definition_version, decision, outcome, category, billable, billable_reason, duration_ms, state, finished_at)
  SELECT call_id, occurred_at, issuer, subject, user_id, user_email, group_ids, connector_id, connector_name, tool_name,
         arguments_sha256, definition_version, decision, outcome,
         COALESCE(category, CASE WHEN EXISTS (
           SELECT FROM tool_calls earlier
           WHERE earlier.outcome = 'error' AND earlier.decision = 'allowed' AND earlier.issuer = added.issuer
             AND earlier.subject = added.subject AND earlier.arguments_sha256 = added.arguments_sha256
             AND earlier.connector_id = added.connector_id AND earlier.tool_name = added.tool_name
             AND earlier.finished_at > now() - make_interval(secs => ${RETRY_SECONDS} + COALESCE(added.duration_ms, 0) / 1000.0))
         THEN 'customer_retry' ELSE 'invocation' END),
         billable, billable_reason, duration_ms, state, CASE WHEN state <> 'open' THEN now() END
  FROM json_to_recordset($1) AS added (
    call_id uuid, occurred_at timestamptz, issuer text, subject text, user_id text, user_email text, group_ids text[], connector_id text,
    connector_name text, tool_name text, arguments_sha256 text, definition_version text, decision text, outcome text, category text,
    billable boolean, billable_reason text, duration_ms integer, state text)`;

const insert = statement(INSERT);
const insertWithCategories = statement<{ call_id: string; category: string }>(`${INSERT} RETURNING call_id, category`);

/** Inserts records in one statement, which is its own transaction. */
export async function insertRecords(dataSource: DataSource, records: readonly NewRecord[]): Promise<void> {
  await insert.rows(dataSource.manager, [JSON.stringify(records)]);
}

/**
 * Inserts records as `insertRecords` does.
 * @returns the records, each with the category that the database decided
 */
export async function insertRecordsWithCategories(
  dataSource: DataSource,
  records: readonly NewRecord[],
): Promise<readonly NewRecord[]> {
  const rows = await insertWithCategories.rows(dataSource.manager, [JSON.stringify(records)]);
  const categories = new Map(rows.map(({ call_id, category }) => [call_id, category]));
  return records.map((record) => ({ ...record, category: categories.get(record.call_id) ?? record.category }));
}
