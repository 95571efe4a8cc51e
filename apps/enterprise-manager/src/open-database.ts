import { type DatabaseSettings, openServiceDatabase } from '@gatehouse/database/open-database';
import type { OpenResource } from '@gatehouse/service-kit/resource.module';
import type { DataSource } from 'typeorm';
import type { Settings } from './config/config.ts';
import { entities } from './entities.ts';
import { migrations } from './database/migrations.ts';

/** How long what is never changed is kept, in days. */
type Retention = Pick<Settings, 'AUDIT_RETENTION_DAYS' | 'USAGE_RETENTION_DAYS' | 'TOOL_CALL_RETENTION_DAYS'>;

/**
 * The service's database, migrated and connected. Only its owner may say how long things are kept:
 * whoever has taken over the service cannot shorten it.
 */
export function openDatabase(settings: DatabaseSettings & Retention): Promise<OpenResource<DataSource>> {
  return openServiceDatabase(settings, {
    service: 'enterprise-manager',
    entities,
    migrations,
    asOwner: async (owner) => {
      await owner.query('UPDATE audit_retention SET days = $1 WHERE days <> $1', [settings.AUDIT_RETENTION_DAYS]);
      await owner.query('UPDATE usage_retention SET days = $1 WHERE days <> $1', [settings.USAGE_RETENTION_DAYS]);
      await owner.query('UPDATE tool_call_retention SET days = $1 WHERE days <> $1', [
        settings.TOOL_CALL_RETENTION_DAYS,
      ]);
    },
  });
}
