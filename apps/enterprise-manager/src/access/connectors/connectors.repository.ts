import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { keysetSql, type KeysetStep } from '../../database/keyset.ts';
import type { ConnectorColumns, ConnectorRow } from './connector.entity.ts';

/** The columns of a connector that a write replaces. */
export type ConnectorState = Omit<ConnectorColumns, 'id' | 'gateway_id' | 'slug' | 'revision' | 'created_at'>;

const STATE = [
  'name',
  'name_key',
  'endpoint',
  'transport',
  'auth',
  'identity_provider_id',
  'allow_private_ips',
  'deployment_mode',
  'origin',
  'description',
  'icon_url',
  'repository_url',
  'support_url',
  'version',
  'source_name',
  'source_namespace',
  'status',
  'status_message',
  'updated_at',
] as const satisfies readonly (keyof ConnectorState)[];

/** The filter of a list of connectors. */
export interface ConnectorFilter {
  gateway_id: string;
  status?: ConnectorRow['status'];
}

const ENDPOINTS = statement<Pick<ConnectorRow, 'id' | 'name' | 'endpoint'>>(
  'SELECT id, name, endpoint FROM connectors WHERE gateway_id = $1 ORDER BY created_at, id',
);

/** The queries of connectors. */
@Injectable()
export class ConnectorsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists connectors in the order of their creation. */
  async list({ gateway_id, status }: ConnectorFilter, step: KeysetStep): Promise<ConnectorRow[]> {
    const params: unknown[] = [gateway_id];
    const conditions = ['gateway_id = $1'];
    if (status !== undefined) conditions.push(`status = $${params.push(status)}`);
    const { where, orderBy } = keysetSql(
      step,
      [
        ['created_at', 'timestamptz'],
        ['id', 'uuid'],
      ],
      'ascending',
      params,
    );
    return this.dataSource.query(
      `SELECT * FROM connectors WHERE ${[...conditions, where].join(' AND ')}
       ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** Lists the endpoints of a gateway's connectors in the order of their creation. */
  endpoints(gatewayId: string): Promise<Pick<ConnectorRow, 'id' | 'name' | 'endpoint'>[]> {
    return ENDPOINTS.rows(this.dataSource.manager, [gatewayId]);
  }

  /** Finds a connector of a gateway. */
  async find(gatewayId: string, id: string): Promise<ConnectorRow | undefined> {
    const rows: ConnectorRow[] = await this.dataSource.query(
      'SELECT * FROM connectors WHERE id = $1 AND gateway_id = $2',
      [id, gatewayId],
    );
    return rows[0];
  }

  /** Finds a connector and locks it against writes until the transaction ends. */
  async hold(manager: EntityManager, gatewayId: string, id: string): Promise<ConnectorRow | undefined> {
    const rows: ConnectorRow[] = await manager.query(
      'SELECT * FROM connectors WHERE id = $1 AND gateway_id = $2 FOR UPDATE',
      [id, gatewayId],
    );
    return rows[0];
  }

  /** Lists all slugs of a gateway and locks them against additions until the transaction ends. */
  async holdSlugs(manager: EntityManager, gatewayId: string): Promise<ReadonlySet<string>> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('slugs of ' || $1, 0))`, [gatewayId]);
    const rows: { slug: string }[] = await manager.query('SELECT slug FROM connectors WHERE gateway_id = $1', [
      gatewayId,
    ]);
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Adds a connector. */
  async insert(manager: EntityManager, row: ConnectorColumns): Promise<void> {
    const columns = ['id', 'gateway_id', 'slug', 'revision', 'created_at', ...STATE] as const;
    await manager.query(
      `INSERT INTO connectors (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      columns.map((column) => row[column]),
    );
  }

  /** Replaces the state of a connector. */
  async update(manager: EntityManager, id: string, state: ConnectorState): Promise<ConnectorRow> {
    const [rows]: [ConnectorRow[]] = await manager.query(
      `UPDATE connectors SET ${STATE.map((column, at) => `${column} = $${at + 2}`).join(', ')}, revision = revision + 1
       WHERE id = $1 RETURNING *`,
      [id, ...STATE.map((column) => state[column])],
    );
    const row = rows[0];
    if (row === undefined) throw new Error(`the locked connector ${id} does not exist`);
    return row;
  }

  /** Deletes a connector with its policy and all connections. */
  async remove(manager: EntityManager, id: string): Promise<void> {
    await manager.query('DELETE FROM connectors WHERE id = $1', [id]);
  }
}
