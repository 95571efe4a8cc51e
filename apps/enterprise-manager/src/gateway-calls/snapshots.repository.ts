import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ConnectorRow } from '../connectors/connector.entity.ts';

/** What a gateway needs to know about a connector. */
export type PublishedConnector = Pick<
  ConnectorRow,
  'id' | 'slug' | 'name' | 'description' | 'endpoint' | 'transport' | 'auth' | 'allow_private_ips'
>;

/** Which state of a gateway this is. */
export interface GatewayRevision {
  epoch: string;
  revision: number;
}

const REVISION = statement<GatewayRevision>('SELECT epoch, revision FROM gateway_revisions WHERE gateway_id = $1');

/** What snapshots are made of, in the database. */
@Injectable()
export class SnapshotsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The revision of a gateway; undefined before its first connector. */
  revision(gatewayId: string, manager: EntityManager = this.dataSource.manager): Promise<GatewayRevision | undefined> {
    return REVISION.row(manager, [gatewayId]);
  }

  /** The available connectors of a gateway, in the order in which they were made. */
  async connectors(gatewayId: string, manager: EntityManager): Promise<PublishedConnector[]> {
    return manager.query(
      `SELECT id, slug, name, description, endpoint, transport, auth, allow_private_ips FROM connectors
       WHERE gateway_id = $1 AND status = 'available' ORDER BY created_at, id`,
      [gatewayId],
    );
  }
}
