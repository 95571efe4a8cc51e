import type { ToolCallReceiptDto } from '@gatehouse/contracts-enterprise-manager/validation';
import { statement } from '@gatehouse/database/statement';
import { inTransaction } from '@gatehouse/database/transaction';
import type { Received } from '@gatehouse/service-kit/received';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CallEnd, CallFacts, CallRecorder, RejectionCategory, RunningRecord } from '../mcp/ports/tool-call.ts';
import { SETTINGS, type Settings } from '../config/config.ts';
import { createCallId } from './call-ids.ts';
import { type FinalState, insertRecords, insertRecordsWithCategories, type NewRecord } from './new-record.ts';
import { RecordWriter } from './record-writer.ts';
import type { ToolCallRow } from './tool-call.entity.ts';

const REFUSAL_REASONS: Record<RejectionCategory, string> = {
  denied: 'refused before the upstream',
  not_evaluated: 'refused before a decision',
};

/** The receipt of the enterprise manager for one record. */
export type Receipt = Received<ToolCallReceiptDto>;

/** The columns of a record that are delivered. */
const COLUMNS = [
  'call_id',
  'occurred_at',
  'user_id',
  'user_email',
  'group_ids',
  'connector_id',
  'connector_name',
  'tool_name',
  'arguments_sha256',
  'definition_version',
  'decision',
  'outcome',
  'category',
  'billable',
  'billable_reason',
  'duration_ms',
] as const satisfies readonly (keyof ToolCallRow)[];

/** A record that is ready for delivery. */
export type ReadyRecord = Pick<ToolCallRow, (typeof COLUMNS)[number]>;

const selectReady = statement<ReadyRecord>(
  `SELECT ${COLUMNS.join(', ')} FROM tool_calls WHERE state = 'ready' ORDER BY call_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
);
const deleteRecords = statement('DELETE FROM tool_calls WHERE call_id = ANY($1::uuid[])');

/** The outbox. Each method of `CallRecorder` resolves after its commit. */
@Injectable()
export class ToolCallsRepository implements CallRecorder {
  private readonly writer: RecordWriter;
  private readonly finalState: FinalState;
  private onReady: () => void = () => undefined;
  private onRecord: ((record: NewRecord) => void) | undefined;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) { MODE }: Pick<Settings, 'MODE'>,
  ) {
    this.writer = new RecordWriter((records) => this.write(records));
    this.finalState = MODE === 'local' ? 'kept' : 'ready';
  }

  /** Calls the listener with each record of a finished or refused call, after its commit. */
  setRecordListener(listener: (record: NewRecord) => void): void {
    this.onRecord = listener;
  }

  /** Calls the listener whenever a record is ready for delivery. */
  setReadyListener(listener: () => void): void {
    this.onReady = listener;
  }

  get isDoubtful(): boolean {
    return this.writer.hasFailed;
  }

  async recordRefusal(
    facts: CallFacts,
    category: RejectionCategory,
    reason = REFUSAL_REASONS[category],
    outcome: 'error' | 'unspecified' = 'unspecified',
  ): Promise<void> {
    await this.writer.add({
      ...createColumns(facts),
      decision: category === 'denied' ? 'denied' : 'unspecified',
      outcome,
      category,
      billable: false,
      billable_reason: reason,
      duration_ms: 0,
      state: this.finalState,
    });
    this.onReady();
  }

  begin(facts: CallFacts): RunningRecord {
    const columns = { ...createColumns(facts), decision: 'allowed', category: null };
    let opened: Promise<void> | undefined;
    const open = () =>
      (opened ??= this.writer.add({
        ...columns,
        outcome: 'unspecified',
        billable: false,
        billable_reason: 'not finished',
        duration_ms: null,
        state: 'open',
      }));
    return {
      callId: columns.call_id,
      open,
      end: async ({ outcome, durationMs, billable, reason: billable_reason }) => {
        const duration_ms = Math.max(0, Math.round(durationMs));
        if (opened === undefined)
          await this.writer.add({
            ...columns,
            outcome,
            billable,
            billable_reason,
            duration_ms,
            state: this.finalState,
          });
        else {
          await opened;
          await this.close(columns.call_id, { outcome, durationMs: duration_ms, billable, reason: billable_reason });
        }
        this.onReady();
      },
    };
  }

  continue(callId: string): RunningRecord {
    return {
      callId,
      open: () => Promise.resolve(),
      end: async (end) => {
        await this.close(callId, { ...end, durationMs: Math.max(0, Math.round(end.durationMs)) });
        this.onReady();
      },
    };
  }

  private async close(callId: string, { outcome, durationMs, billable, reason }: CallEnd): Promise<void> {
    const [rows] = await this.dataSource.query<[NewRecord[], number]>(
      `UPDATE tool_calls SET outcome = $2, duration_ms = $3, billable = $4, billable_reason = $5, state = $6, finished_at = now()
       WHERE call_id = $1 AND state = 'open' RETURNING *`,
      [callId, outcome, durationMs, billable, reason, this.finalState],
    );
    this.report(rows);
  }

  private async write(records: readonly NewRecord[]): Promise<void> {
    if (this.onRecord === undefined) await insertRecords(this.dataSource, records);
    else this.report(await insertRecordsWithCategories(this.dataSource, records));
  }

  private report(records: readonly NewRecord[]): void {
    if (this.onRecord === undefined) return;
    for (const record of records) if (record.state !== 'open') this.onRecord(record);
  }

  /**
   * Delivers up to `limit` records, oldest first. They stay locked until the commit: other replicas
   * take others, and after a crash they are ready again.
   * @returns the number of records
   */
  deliver(limit: number, send: (rows: readonly ReadyRecord[]) => Promise<readonly Receipt[]>): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const rows = await selectReady.rows(manager, [limit]);
      if (rows.length > 0) await settle(manager, rows, await send(rows));
      return rows.length;
    });
  }

  /**
   * Completes the open records of calls whose replica stopped. The replica cannot complete them any
   * more, if it still runs.
   * @param manager of the transaction that also ends their streams
   */
  async completeAbandoned(manager: EntityManager, callIds: readonly string[]): Promise<void> {
    if (callIds.length === 0) return;
    await manager.query(
      `UPDATE tool_calls SET outcome = 'error', billable_reason = 'its replica stopped before the end', state = $2, finished_at = now(),
         duration_ms = least(extract(epoch FROM clock_timestamp() - occurred_at) * 1000, 2147483647)::integer
       WHERE call_id = ANY ($1::uuid[]) AND state = 'open'`,
      [callIds, this.finalState],
    );
  }

  /** Closes records of calls whose process stopped before their end. */
  async closeAbandoned(afterMs: number): Promise<void> {
    const [rows] = await this.dataSource.query<[NewRecord[], number]>(
      `UPDATE tool_calls SET state = $2, finished_at = now(), billable_reason = 'end not seen'
       WHERE state = 'open' AND occurred_at < now() - $1 * interval '1 millisecond' RETURNING *`,
      [afterMs, this.finalState],
    );
    this.report(rows);
  }

  /** Deletes the oldest records of local mode beyond a number. Replicas do not block each other. */
  async pruneKept(most: number): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM tool_calls WHERE call_id IN (
         SELECT call_id FROM tool_calls WHERE state = 'kept' AND call_id <= (
           SELECT call_id FROM tool_calls WHERE state = 'kept' ORDER BY call_id DESC OFFSET $1 LIMIT 1)
         FOR UPDATE SKIP LOCKED)`,
      [most],
    );
  }

  /** Deletes old delivered and old rejected records. */
  async prune(deliveredMs: number, rejectedMs: number): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM tool_calls WHERE (state = 'delivered' AND settled_at < now() - $1 * interval '1 millisecond')
                                 OR (state = 'rejected' AND settled_at < now() - $2 * interval '1 millisecond')`,
      [deliveredMs, rejectedMs],
    );
  }

  /** Numbers of ready and rejected records. */
  async countBacklog(): Promise<{ ready: number; rejected: number }> {
    const rows = await this.dataSource.query<{ ready: number; rejected: number }[]>(
      `SELECT count(*) FILTER (WHERE state = 'ready') AS ready, count(*) FILTER (WHERE state = 'rejected') AS rejected
       FROM tool_calls WHERE state IN ('ready', 'rejected')`,
    );
    return rows[0] ?? { ready: 0, rejected: 0 };
  }
}

/**
 * Applies receipts. A delivered record of a successful call is deleted, which costs half as much as
 * an update. The others stay for a while, since a failed call decides whether a later one is a
 * retry.
 */
async function settle(
  manager: EntityManager,
  rows: readonly ReadyRecord[],
  receipts: readonly Receipt[],
): Promise<void> {
  const rejected = rows.flatMap(({ call_id: id }, index) => {
    const receipt = receipts[index];
    return receipt?.status === 'rejected' ? [{ id, reason: receipt.error ?? 'no reason was given' }] : [];
  });
  const isRejected = new Set(rejected.map(({ id }) => id));
  const isKept = ({ call_id, outcome }: ReadyRecord) => outcome !== 'ok' || isRejected.has(call_id);
  const [kept, done] = [rows.filter(isKept), rows.filter((row) => !isKept(row))];
  if (done.length > 0) await deleteRecords.rows(manager, [done.map((row) => row.call_id)]);
  if (kept.length === 0) return;
  await manager.query(
    `UPDATE tool_calls SET settled_at = now(), rejection = fate.reason, state = CASE WHEN fate.reason IS NULL THEN 'delivered' ELSE 'rejected' END
     FROM unnest($1::uuid[]) AS sent (id) LEFT JOIN unnest($2::uuid[], $3::text[]) AS fate (id, reason) ON fate.id = sent.id
     WHERE call_id = sent.id`,
    [kept.map((row) => row.call_id), rejected.map(({ id }) => id), rejected.map(({ reason }) => reason)],
  );
}

const createColumns = (facts: CallFacts) => ({
  call_id: createCallId(facts.occurredAt),
  occurred_at: facts.occurredAt.toISOString(),
  issuer: facts.issuer,
  subject: facts.subject,
  user_id: facts.userId ?? null,
  user_email: facts.userEmail ?? null,
  group_ids: facts.groupIds,
  connector_id: facts.connectorId ?? null,
  connector_name: facts.connectorName ?? null,
  tool_name: facts.toolName,
  arguments_sha256: facts.argumentsSha256 ?? null,
  definition_version: facts.definitionVersion ?? null,
});
