import { type DatabaseSettings, openServiceDatabase } from '@gatehouse/database/open-database';
import type { OpenResource } from '@gatehouse/service-kit/resource.module';
import type { DataSource } from 'typeorm';
import type { Settings } from './config/config.ts';
import { entities } from './entities.ts';
import { migrations } from './database/migrations.ts';

/**
 * Opens the service's database and migrates it. Only the owner role can set the retention of the
 * audit trail, so that an attacker with the runtime role cannot shorten it.
 */
export function openDatabase(
  settings: DatabaseSettings & Pick<Settings, 'AUDIT_RETENTION_DAYS'>,
): Promise<OpenResource<DataSource>> {
  return openServiceDatabase(settings, {
    service: 'connector-gateway',
    entities,
    migrations,
    asOwner: async (owner) => {
      await owner.query('UPDATE audit_retention SET days = $1 WHERE days <> $1', [settings.AUDIT_RETENTION_DAYS]);
    },
  });
}
