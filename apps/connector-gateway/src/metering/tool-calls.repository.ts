import { inTransaction } from '@gatehouse/database/transaction';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Receipt } from '../directory/directory-client.ts';
import type { CallEnd, CallFacts, CallRecorder, RejectionCategory } from '../mcp/ports/tool-call.ts';
import type { ToolCallRow } from './tool-call.entity.ts';

/** A call this soon after an equal failed call counts as a retry. */
const RETRY_SECONDS = 10;

const INSERT = `
  INSERT INTO tool_calls (call_id, occurred_at, issuer, subject, user_id, user_email, group_ids, connector_id, connector_name, tool_name,
                          arguments_sha256, definition_version, decision, outcome, category, billable, billable_reason, duration_ms, state, finished_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, `;

const REFUSAL_REASONS: Record<RejectionCategory, string> = {
  denied: 'refused before the upstream',
  not_evaluated: 'refused before a decision',
};

/** The outbox. Each method of `CallRecorder` resolves after its commit. */
@Injectable()
export class ToolCallsRepository implements CallRecorder {
  private onReady: () => void = () => undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** Calls the listener whenever a record is ready for delivery. */
  setReadyListener(listener: () => void): void {
    this.onReady = listener;
  }

  async recordRefusal(
    facts: CallFacts,
    category: RejectionCategory,
    reason = REFUSAL_REASONS[category],
    outcome: 'error' | 'unspecified' = 'unspecified',
  ): Promise<void> {
    const decision = category === 'denied' ? 'denied' : 'unspecified';
    await this.dataSource.query(`${INSERT} $17, $14, false, $15, $16, 'ready', now())`, [
      ...listValues(facts, decision),
      category,
      reason,
      0,
      outcome,
    ]);
    this.onReady();
  }

  /** Marks an equal call soon after an error as a retry of the user, over all replicas. */
  async recordStart(facts: CallFacts): Promise<string> {
    const values = listValues(facts, 'allowed');
    await this.dataSource.query(
      `${INSERT} 'unspecified', CASE WHEN EXISTS (
           SELECT FROM tool_calls earlier
           WHERE earlier.outcome = 'error' AND earlier.decision = 'allowed' AND earlier.issuer = $3 AND earlier.subject = $4
             AND earlier.arguments_sha256 = $11 AND earlier.connector_id = $8 AND earlier.tool_name = $10
             AND earlier.finished_at > now() - interval '${RETRY_SECONDS} seconds')
         THEN 'customer_retry' ELSE 'invocation' END, false, 'not finished', NULL, 'open', NULL)`,
      values,
    );
    return values[0] as string;
  }

  async recordEnd(callId: string, { outcome, durationMs, billable, reason }: CallEnd): Promise<void> {
    await this.dataSource.query(
      `UPDATE tool_calls SET outcome = $2, duration_ms = $3, billable = $4, billable_reason = $5, state = 'ready', finished_at = now()
       WHERE call_id = $1 AND state = 'open'`,
      [callId, outcome, Math.max(0, Math.round(durationMs)), billable, reason],
    );
    this.onReady();
  }

  /**
   * Delivers up to `limit` records, oldest first. They stay locked until the commit: other replicas
   * take others, and after a crash they are ready again.
   * @returns the number of records
   */
  deliver(limit: number, send: (rows: readonly ToolCallRow[]) => Promise<readonly Receipt[]>): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const rows = await manager.query<ToolCallRow[]>(
        `SELECT * FROM tool_calls WHERE state = 'ready' ORDER BY call_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      if (rows.length > 0) await settle(manager, rows, await send(rows));
      return rows.length;
    });
  }

  /** Closes records of calls whose process stopped before their end. */
  async closeAbandoned(afterMs: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE tool_calls SET state = 'ready', finished_at = now(), billable_reason = 'end not seen'
       WHERE state = 'open' AND occurred_at < now() - $1 * interval '1 millisecond'`,
      [afterMs],
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

async function settle(
  manager: EntityManager,
  rows: readonly ToolCallRow[],
  receipts: readonly Receipt[],
): Promise<void> {
  const rejected = rows.flatMap(({ call_id: id }, index) => {
    const receipt = receipts[index];
    return receipt?.status === 'rejected' ? [{ id, reason: receipt.error ?? 'no reason was given' }] : [];
  });
  await manager.query(
    `UPDATE tool_calls SET settled_at = now(), rejection = fate.reason, state = CASE WHEN fate.reason IS NULL THEN 'delivered' ELSE 'rejected' END
     FROM unnest($1::uuid[]) AS sent (id) LEFT JOIN unnest($2::uuid[], $3::text[]) AS fate (id, reason) ON fate.id = sent.id
     WHERE call_id = sent.id`,
    [rows.map((row) => row.call_id), rejected.map(({ id }) => id), rejected.map(({ reason }) => reason)],
  );
}

const listValues = (facts: CallFacts, decision: string): unknown[] => [
  uuidv7({ msecs: facts.occurredAt.getTime() }),
  facts.occurredAt.toISOString(),
  facts.issuer,
  facts.subject,
  facts.userId ?? null,
  facts.userEmail ?? null,
  facts.groupIds,
  facts.connectorId ?? null,
  facts.connectorName ?? null,
  facts.toolName,
  facts.argumentsSha256 ?? null,
  facts.definitionVersion ?? null,
  decision,
];
