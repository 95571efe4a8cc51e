import { AuditService } from '@gatehouse/audit/audit.service';
import { inTransaction } from '@gatehouse/database/transaction';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  getPinKey,
  type ListedDefinition,
  type PinStatus,
  type RecordedDefinitions,
  type ToolDigest,
  type ToolPinSet,
  type ToolPinStore,
} from '../mcp/ports/tool-pin-store.ts';
import { type PendingDefinition, type PlannedDefinition, planRecording } from './recording-plan.ts';

/** Most bytes of a stored definition. */
const MAX_DEFINITION_BYTES = 65_536;
/** Retries after a deadlock. */
const RETRIES = 5;

/** The author of audit events about changes that upstreams made. */
const GATEWAY = { issuer: 'gatehouse', subject: 'tool-pinning' };

/** The name of the kind of changes in audit events. */
export const TOOL_CHANGE = 'tool_change';

/** Stores the definitions of tools in the gateway's database, for all replicas. */
@Injectable()
export class ToolPinsRepository implements ToolPinStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  async load(connectorId: string): Promise<ToolPinSet> {
    const [row] = await this.dataSource.query<{ taken: boolean; pins: [string, string, PinStatus][] }[]>(
      `SELECT EXISTS (SELECT FROM tool_baselines WHERE connector_id = $1) AS taken, coalesce((
         SELECT json_agg(json_build_array(tool, hash, status)) FROM tool_definitions WHERE connector_id = $1), '[]') AS pins`,
      [connectorId],
    );
    const pins = row?.pins ?? [];
    return {
      hasBaseline: row?.taken === true,
      statuses: new Map(pins.map(([tool, hash, status]) => [getPinKey({ tool, hash }), status])),
    };
  }

  takeBaseline(connectorId: string, definitions: readonly ListedDefinition[]): Promise<boolean> {
    return inTransaction(this.dataSource, async (manager) => {
      // A concurrent baseline waits here for the end of the first transaction.
      const taken = await manager.query<object[]>(
        `INSERT INTO tool_baselines (connector_id, taken_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (connector_id) DO NOTHING RETURNING connector_id`,
        [connectorId],
      );
      if (taken.length === 0) return false;
      await insert(
        manager,
        connectorId,
        'baseline',
        definitions.map((definition) => ({ ...definition, superseded: 0, isAudited: false })),
      );
      return true;
    });
  }

  record(connectorId: string, definitions: readonly ListedDefinition[]): Promise<RecordedDefinitions> {
    const record = async (manager: EntityManager): Promise<RecordedDefinitions> => {
      const unknown = await lockUnknown(manager, connectorId, definitions);
      const plan = planRecording(await readPending(manager, connectorId), unknown);
      // An administrator may have accepted one of them a moment ago.
      await manager.query(`DELETE FROM tool_definitions WHERE id = ANY ($1::uuid[]) AND status = 'pending'`, [
        plan.removed,
      ]);
      const ids = await insert(manager, connectorId, 'pending', plan.added);
      for (const [at, { isAudited, tool }] of plan.added.entries())
        if (isAudited) await this.recordAudit(manager, ids[at] ?? '', `connectors/${connectorId}/tools/${tool}`);
      return { tools: plan.added.map(({ tool }) => tool), unrecorded: plan.unrecorded };
    };
    return inTransaction(this.dataSource, record, { retries: RETRIES });
  }

  async touch(connectorId: string, digests: readonly ToolDigest[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE tool_definitions SET last_seen_at = clock_timestamp() WHERE connector_id = $1 AND status = 'pending'
         AND (tool, hash) IN (SELECT * FROM unnest($2::text[], $3::text[]))
         AND last_seen_at < clock_timestamp() - interval '4 minutes'`,
      [connectorId, digests.map(({ tool }) => tool), digests.map(({ hash }) => hash)],
    );
  }

  private recordAudit(manager: EntityManager, id: string, path: string): Promise<void> {
    return this.audit.record(
      manager,
      { ...GATEWAY, requestId: id },
      { operation: 'Record tool change', object_kind: TOOL_CHANGE, object_id: id, changed_fields: [path] },
    );
  }
}

/** Locks the changes of a connector until the transaction ends. @returns unknown definitions */
async function lockUnknown(
  manager: EntityManager,
  connectorId: string,
  definitions: readonly ListedDefinition[],
): Promise<readonly ListedDefinition[]> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('tool_definitions' || chr(31) || $1, 0))`, [
    connectorId,
  ]);
  const known = await manager.query<ToolDigest[]>(
    `SELECT tool, hash FROM tool_definitions WHERE connector_id = $1 AND hash = ANY ($2)`,
    [connectorId, definitions.map(({ hash }) => hash)],
  );
  const keys = new Set(known.map(getPinKey));
  return definitions.filter((definition) => !keys.has(getPinKey(definition)));
}

const readPending = (manager: EntityManager, connectorId: string): Promise<PendingDefinition[]> =>
  manager.query<PendingDefinition[]>(
    `SELECT id, tool, superseded, last_seen_at < clock_timestamp() - interval '1 hour' AS "isGone"
     FROM tool_definitions WHERE connector_id = $1 AND status = 'pending' ORDER BY last_seen_at, id`,
    [connectorId],
  );

/** Inserts definitions. @returns their ids */
async function insert(
  manager: EntityManager,
  connectorId: string,
  status: PinStatus,
  definitions: readonly PlannedDefinition[],
): Promise<readonly string[]> {
  const ids = definitions.map(() => uuidv7());
  const bytes = definitions.map(({ text }) => Buffer.byteLength(text));
  await manager.query(
    `INSERT INTO tool_definitions
       (id, connector_id, tool, hash, definition, definition_bytes, status, replaced_id, superseded, first_seen_at, last_seen_at)
     SELECT u.id, $1, u.tool, u.hash, u.definition, u.bytes, $2, (
         SELECT a.id FROM tool_definitions a
         WHERE a.connector_id = $1 AND a.tool = u.tool AND a.status IN ('baseline', 'accepted')
         ORDER BY a.decided_at DESC NULLS LAST LIMIT 1),
       u.superseded, clock_timestamp(), clock_timestamp()
     FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[])
       AS u (id, tool, hash, definition, bytes, superseded)`,
    [
      connectorId,
      status,
      ids,
      definitions.map(({ tool }) => tool),
      definitions.map(({ hash }) => hash),
      definitions.map(({ text }, at) => ((bytes[at] ?? 0) > MAX_DEFINITION_BYTES ? null : text)),
      bytes,
      definitions.map(({ superseded }) => superseded),
    ],
  );
  return ids;
}
