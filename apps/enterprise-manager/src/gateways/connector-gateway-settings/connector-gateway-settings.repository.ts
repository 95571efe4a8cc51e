import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DEFAULT_SETTINGS } from './connector-gateway-settings.ts';
import type { ConnectorGatewaySettings } from './connector-gateway-settings.dto.ts';

/** Settings with their revision; null before the first write. */
export interface StoredSettings {
  settings: ConnectorGatewaySettings;
  revision: string | null;
}

type SettingsRow = Partial<Pick<ConnectorGatewaySettings, 'limits' | 'content'>> &
  Pick<ConnectorGatewaySettings, 'connectors'> & { revision: string | null };

const FIND = statement<SettingsRow>(`
  SELECT s.revision, s.limits, s.content, coalesce((
    SELECT json_object_agg(o.connector_id, o.settings ORDER BY o.connector_id)
    FROM gateway_connector_settings o JOIN connectors c ON c.id = o.connector_id
    WHERE c.gateway_id = g.id), '{}') AS connectors
  FROM (SELECT $1::text AS id) AS g LEFT JOIN gateway_settings s ON s.gateway_id = g.id`);

const LOCK_CONNECTORS = statement<{ id: string }>(
  'SELECT id FROM connectors WHERE gateway_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
);

/** Stores the settings of gateways. */
@Injectable()
export class ConnectorGatewaySettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads all settings of a gateway in one statement, so that they are of the same moment. */
  async find(gatewayId: string, manager: EntityManager = this.dataSource.manager): Promise<StoredSettings> {
    const row = await FIND.row(manager, [gatewayId]);
    return {
      settings: {
        limits: row?.limits ?? DEFAULT_SETTINGS.limits,
        content: row?.content ?? DEFAULT_SETTINGS.content,
        connectors: row?.connectors ?? {},
      },
      revision: row?.revision ?? null,
    };
  }

  /** Locks connectors of a gateway against deletion. @returns the ids that exist */
  async lockConnectors(manager: EntityManager, gatewayId: string, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await LOCK_CONNECTORS.rows(manager, [gatewayId, ids])).map(({ id }) => id));
  }

  /** Locks the settings of a gateway against other writes until the transaction ends. */
  async lock(manager: EntityManager, gatewayId: string): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('gateway_settings' || chr(31) || $1, 0))`, [
      gatewayId,
    ]);
  }

  /** Replaces the settings of a gateway and of its connectors. */
  async replace(
    manager: EntityManager,
    gatewayId: string,
    revision: string,
    { limits, content, connectors }: ConnectorGatewaySettings,
  ): Promise<void> {
    await manager.query(
      `DELETE FROM gateway_connector_settings o USING connectors c WHERE c.id = o.connector_id AND c.gateway_id = $1`,
      [gatewayId],
    );
    await manager.query(
      `INSERT INTO gateway_connector_settings (connector_id, settings)
       SELECT key::uuid, value FROM json_each($1::json)`,
      [JSON.stringify(connectors)],
    );
    await manager.query(
      `INSERT INTO gateway_settings (gateway_id, revision, limits, content) VALUES ($1, $2, $3, $4)
       ON CONFLICT (gateway_id) DO UPDATE SET revision = $2, limits = $3, content = $4`,
      [gatewayId, revision, JSON.stringify(limits), JSON.stringify(content)],
    );
  }
}
