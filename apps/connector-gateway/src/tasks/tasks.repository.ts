import { inTransaction } from '@gatehouse/database/transaction';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { NewTask, StoredTask, TaskForm, TaskOwner, TaskPlace, TaskStore } from '../mcp/ports/task-store.ts';

const COLUMNS = `id, issuer, subject, form, connector_id AS "connectorId", identity, owner_key AS "ownerKey",
  tool_name AS "toolName", upstream_id AS "upstreamId", state`;

/** Stores tasks in the gateway's database, for all replicas. */
@Injectable()
export class TasksRepository implements TaskStore {
  constructor(private readonly dataSource: DataSource) {}

  save(task: NewTask, most: number): Promise<boolean> {
    const { issuer, subject } = task;
    return inTransaction(this.dataSource, async (manager) => {
      // Serializes the new tasks of a user, so that the count holds over all replicas.
      await manager.query(
        `SELECT pg_advisory_xact_lock(hashtextextended('mcp_tasks' || chr(31) || $1 || chr(31) || $2, 0))`,
        [issuer, subject],
      );
      const inserted = await manager.query<unknown[]>(
        `INSERT INTO mcp_tasks (id, issuer, subject, form, connector_id, identity, owner_key, tool_name, upstream_id, state, created_at, expires_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::json, clock_timestamp(), $11::timestamptz
         WHERE (SELECT count(*) FROM mcp_tasks WHERE issuer = $2 AND subject = $3 AND expires_at > now()) < $12
         RETURNING id`,
        [
          ...[task.id, issuer, subject, task.form, task.connectorId, task.identity, task.ownerKey, task.toolName],
          ...[task.upstreamId, JSON.stringify(task.state), task.expiresAt.toISOString(), most],
        ],
      );
      return inserted.length > 0;
    });
  }

  async find(id: string, { issuer, subject }: TaskOwner): Promise<StoredTask | undefined> {
    const [row] = await this.dataSource.query<StoredTask[]>(
      `SELECT ${COLUMNS} FROM mcp_tasks WHERE id = $1 AND issuer = $2 AND subject = $3 AND expires_at > now()`,
      [id, issuer, subject],
    );
    return row;
  }

  async list(
    { issuer, subject }: TaskOwner,
    form: TaskForm,
    { after, limit }: { after: TaskPlace | undefined; limit: number },
  ): Promise<readonly (StoredTask & { place: TaskPlace })[]> {
    const rows = await this.dataSource.query<(StoredTask & { createdAt: string })[]>(
      `SELECT ${COLUMNS}, created_at AS "createdAt" FROM mcp_tasks
       WHERE issuer = $1 AND subject = $2 AND form = $3 AND expires_at > now()
         AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::text)) ORDER BY created_at DESC, id DESC LIMIT $6`,
      [issuer, subject, form, after?.createdAt ?? null, after?.id ?? null, limit],
    );
    return rows.map(({ createdAt, ...row }) => ({ ...row, place: { createdAt, id: row.id } }));
  }

  async update(id: string, state: JsonObject): Promise<void> {
    await this.dataSource.query('UPDATE mcp_tasks SET state = $2::json WHERE id = $1', [id, JSON.stringify(state)]);
  }

  /** Deletes expired tasks. */
  async prune(): Promise<void> {
    await this.dataSource.query('DELETE FROM mcp_tasks WHERE expires_at < now()');
  }
}
