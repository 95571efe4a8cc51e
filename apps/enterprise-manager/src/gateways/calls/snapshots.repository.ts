import { statement } from '@gatehouse/database/statement';
import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ConnectorRow } from '../../access/connectors/connector.entity.ts';
import type { StoredAuth } from '../../access/connectors/stored-auth.ts';

/**
 * The fields of a connector in a snapshot. `auth` names the secrets for the gateway to reveal or to
 * read in its cluster, by their field.
 */
export type PublishedConnector = Pick<
  ConnectorRow,
  'id' | 'slug' | 'name' | 'description' | 'endpoint' | 'transport' | 'allow_private_ips'
> & {
  auth: StoredAuth & {
    secrets?: Record<string, { id: string; version: number }>;
    kubernetes_secrets?: Record<string, KubernetesSecretRef>;
  };
  identity_provider_id: string | null;
};

/** A revision of a gateway's snapshot. */
export interface GatewayRevision {
  epoch: string;
  revision: number;
}

const REVISION = statement<GatewayRevision>('SELECT epoch, revision FROM gateway_revisions WHERE gateway_id = $1');

/** Reads the parts of snapshots from the database. */
@Injectable()
export class SnapshotsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Finds the revision of a gateway; undefined before its first connector. */
  findRevision(
    gatewayId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<GatewayRevision | undefined> {
    return REVISION.row(manager, [gatewayId]);
  }

  /** Lists the available connectors of a gateway, the oldest first. */
  async listConnectors(gatewayId: string, manager: EntityManager): Promise<PublishedConnector[]> {
    return manager.query(
      `SELECT id, slug, name, description, endpoint, transport, allow_private_ips, identity_provider_id,
         auth || COALESCE((
           SELECT jsonb_build_object('secrets', jsonb_object_agg(used.field,
             jsonb_build_object('id', secret.id, 'version', secret.version)))
           FROM connector_secrets AS used JOIN managed_secrets AS secret ON secret.id = used.secret_id
           WHERE used.connector_id = connectors.id HAVING count(*) > 0), '{}')
         || COALESCE((
           SELECT jsonb_build_object('kubernetes_secrets', jsonb_object_agg(used.field, used.kubernetes_secret))
           FROM connector_secrets AS used
           WHERE used.connector_id = connectors.id AND used.kubernetes_secret IS NOT NULL HAVING count(*) > 0), '{}') AS auth
       FROM connectors
       WHERE gateway_id = $1 AND status = 'available' ORDER BY created_at, id`,
      [gatewayId],
    );
  }
}
