import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { ConnectionRow } from './connection.entity.ts';
import type { ConnectionColumns, ObservedConnection } from './connections.dto.ts';

/** The filter of a list of connections. */
export interface ConnectionFilter {
  connector_id?: string | undefined;
  user_id?: string | undefined;
  gateway_id?: string | undefined;
  /** Only connections to available connectors. */
  available?: true;
}

/** The settings of a connection. */
export type ConnectionSettings = Pick<
  ConnectionColumns,
  'enabled' | 'tools_enabled_by_default' | 'tools_exception_list'
>;

/** A user's connection to a connector with its version. Settings are null after its deletion. */
export type VersionedConnection = { connector_id: string; version: number } & (
  | Pick<ConnectionColumns, 'enabled' | 'tools_enabled_by_default' | 'tools_exception_list' | 'updated_at'>
  | Record<'enabled' | 'tools_enabled_by_default' | 'tools_exception_list' | 'updated_at', null>
);

type ToolSettings = Pick<ConnectionColumns, 'tools_enabled_by_default' | 'tools_exception_list'>;

/**
 * The columns of a connection. The tools are those that a gateway saw for the user, or those of the
 * last observed user, because most upstreams show the same tools to all users.
 */
const SELECT = `SELECT c.id, c.connector_id, c.user_id, c.enabled, c.tools_enabled_by_default, c.tools_exception_list, c.created_at, c.updated_at,
   k.gateway_id, seen.connection_status, COALESCE(v.version, 0)::text AS version, (
     SELECT ARRAY(
       SELECT name FROM unnest(c.tools_exception_list) WITH ORDINALITY AS exception (name, at) WHERE name <> ALL (listed.tools) ORDER BY at)
     FROM connection_statuses listed WHERE listed.connector_id = c.connector_id AND listed.tools IS NOT NULL
     ORDER BY listed.user_id = c.user_id DESC, listed.tools_observed_at DESC LIMIT 1) AS unknown_tools
   FROM connections c JOIN connectors k ON k.id = c.connector_id
   LEFT JOIN connection_statuses seen ON seen.user_id = c.user_id AND seen.connector_id = c.connector_id
   LEFT JOIN connection_versions v ON v.user_id = c.user_id AND v.connector_id = c.connector_id`;
const BY_ID = statement<ObservedConnection>(`${SELECT} WHERE c.id = $1`);
const OF_USER_AT_GATEWAY = statement<VersionedConnection>(
  `SELECT v.connector_id, v.version, c.enabled, c.tools_enabled_by_default, c.tools_exception_list, c.updated_at
   FROM connection_versions v JOIN connectors k ON k.id = v.connector_id
   LEFT JOIN connections c ON c.user_id = v.user_id AND c.connector_id = v.connector_id
   WHERE v.user_id = $1 AND k.gateway_id = $2 ORDER BY v.connector_id`,
);
const VERSION = statement<{ version: number }>(
  'SELECT version FROM connection_versions WHERE user_id = $1 AND connector_id = $2',
);
/** Locks the connection before its version, as all writers do. */
const LOCK_CONNECTION = statement<{ id: string }>(
  'SELECT id FROM connections WHERE user_id = $1 AND connector_id = $2 FOR UPDATE',
);
/** Inserts version 0 if the row is missing, because a lock needs a row. */
const LOCK_VERSION = statement<{ version: number }>(
  `INSERT INTO connection_versions AS held (user_id, connector_id, version)
   SELECT u.id, k.id, 0 FROM users u, connectors k WHERE u.id = $1 AND k.id = $2 FOR KEY SHARE
   ON CONFLICT (user_id, connector_id) DO UPDATE SET version = held.version RETURNING version`,
);

/** The queries of connections. */
@Injectable()
export class ConnectionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists connections in the order of their creation. */
  async list(filter: ConnectionFilter, step: KeysetStep): Promise<ObservedConnection[]> {
    const params: unknown[] = [];
    const conditions = [
      filter.connector_id !== undefined && `c.connector_id = $${params.push(filter.connector_id)}`,
      filter.user_id !== undefined && `c.user_id = $${params.push(filter.user_id)}`,
      filter.gateway_id !== undefined && `k.gateway_id = $${params.push(filter.gateway_id)}`,
      filter.available && `k.status = 'available'`,
    ].filter((condition) => typeof condition === 'string');
    return selectByCreation(this.dataSource, { select: SELECT, alias: 'c', conditions, params }, step);
  }

  /** Finds a connection. */
  find(id: string, manager = this.dataSource.manager): Promise<ObservedConnection | undefined> {
    return BY_ID.row(manager, [id]);
  }

  /** Lists all current and deleted connections of a user at a gateway, by connector. */
  listOfUserAtGateway(userId: string, gatewayId: string): Promise<VersionedConnection[]> {
    return OF_USER_AT_GATEWAY.rows(this.dataSource.manager, [userId, gatewayId]);
  }

  /** Returns the number of changes of a user's connection to a connector. */
  async countChanges(userId: string, connectorId: string, manager = this.dataSource.manager): Promise<number> {
    return (await VERSION.row(manager, [userId, connectorId]))?.version ?? 0;
  }

  /**
   * Locks the connection of a user to a connector until the transaction ends, also if it does not
   * exist.
   * @returns its version
   */
  async hold(manager: EntityManager, userId: string, connectorId: string): Promise<number> {
    await LOCK_CONNECTION.rows(manager, [userId, connectorId]);
    return (await LOCK_VERSION.row(manager, [userId, connectorId]))?.version ?? 0;
  }

  /** Adds a connection. @returns false if the user has a connection to this connector */
  async insert(row: ConnectionColumns): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `WITH added AS (
         INSERT INTO connections (id, connector_id, user_id, enabled, tools_enabled_by_default, tools_exception_list, created_at, updated_at)
         SELECT $1, k.id, $3, $4, $5, $6, $7, $7 FROM connectors k WHERE k.id = $2 FOR KEY SHARE
         ON CONFLICT DO NOTHING RETURNING id)
       SELECT * FROM added`,
      [
        row.id,
        row.connector_id,
        row.user_id,
        row.enabled,
        row.tools_enabled_by_default,
        row.tools_exception_list,
        row.created_at,
      ],
    );
    return rows.length > 0;
  }

  /** Changes settings of a connection. @returns undefined if it does not exist */
  async update(
    id: string,
    settings: Partial<ConnectionSettings>,
    now: string,
    manager: EntityManager,
  ): Promise<ObservedConnection | undefined> {
    const { affected } = await manager.update(ConnectionRow, { id }, { ...settings, updated_at: now });
    return affected === 0 ? undefined : this.find(id, manager);
  }

  /**
   * Enables or disables a user's connection; creates it if it is missing.
   * @returns undefined if the connector or the user does not exist
   */
  async setEnabled(
    manager: EntityManager,
    { id, user_id, connector_id, enabled, updated_at }: Omit<ConnectionColumns, 'created_at' | keyof ToolSettings>,
  ): Promise<ObservedConnection | undefined> {
    const rows: { id: string }[] = await manager.query(
      `WITH written AS (
         INSERT INTO connections AS held (id, connector_id, user_id, enabled, tools_enabled_by_default, tools_exception_list, created_at, updated_at)
         SELECT $1, k.id, u.id, $4, TRUE, '{}', $5, $5 FROM connectors k, users u WHERE k.id = $2 AND u.id = $3 FOR KEY SHARE
         ON CONFLICT (user_id, connector_id) DO UPDATE SET enabled = excluded.enabled,
           updated_at = CASE WHEN held.enabled = excluded.enabled THEN held.updated_at ELSE excluded.updated_at END
         RETURNING id)
       SELECT id FROM written`,
      [id, connector_id, user_id, enabled, updated_at],
    );
    return rows[0] && this.find(rows[0].id, manager);
  }

  /** Deletes a connection. @returns whether it existed */
  async remove(id: string, manager: EntityManager): Promise<boolean> {
    return (await manager.delete(ConnectionRow, { id })).affected === 1;
  }

  /** Deletes a user's connection to a connector. */
  async deleteOfUser(
    userId: string,
    connectorId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await manager.delete(ConnectionRow, { user_id: userId, connector_id: connectorId });
  }
}
