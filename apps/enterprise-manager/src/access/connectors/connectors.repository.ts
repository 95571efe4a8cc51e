import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { type ConnectorColumns, ConnectorRow } from './connector.entity.ts';

/** The columns of a connector that a write replaces. */
export type ConnectorState = Omit<ConnectorColumns, 'id' | 'gateway_id' | 'slug' | 'revision' | 'created_at'>;

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
    const select = 'SELECT * FROM connectors k';
    return selectByCreation(this.dataSource, { select, alias: 'k', conditions, params }, step);
  }

  /** Lists the endpoints of a gateway's connectors in the order of their creation. */
  listEndpoints(gatewayId: string): Promise<Pick<ConnectorRow, 'id' | 'name' | 'endpoint'>[]> {
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
    const lock = { mode: 'pessimistic_write' } as const;
    return (await manager.findOne(ConnectorRow, { where: { id, gateway_id: gatewayId }, lock })) ?? undefined;
  }

  /** Lists all slugs of a gateway and locks them against additions until the transaction ends. */
  async holdSlugs(manager: EntityManager, gatewayId: string): Promise<ReadonlySet<string>> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('slugs of ' || $1, 0))`, [gatewayId]);
    const rows = await manager.find(ConnectorRow, { select: { slug: true }, where: { gateway_id: gatewayId } });
    return new Set(rows.map(({ slug }) => slug));
  }

  /** Adds a connector. */
  async insert(manager: EntityManager, row: ConnectorColumns): Promise<void> {
    await manager.insert(ConnectorRow, row);
  }

  /** Replaces the state of a connector. */
  async update(manager: EntityManager, id: string, state: ConnectorState): Promise<ConnectorRow> {
    await manager.update(ConnectorRow, id, { ...state, revision: () => 'revision + 1' });
    return manager.findOneByOrFail(ConnectorRow, { id });
  }

  /** Deletes a connector with its policy and all connections. */
  async remove(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(ConnectorRow, id);
  }
}
