import { type DatabaseSettings, openServiceDatabase } from '@gatehouse/database/open-database';
import type { OpenResource } from '@gatehouse/service-kit/resource.module';
import type { DataSource } from 'typeorm';
import type { Settings } from './config/config.ts';
import { entities } from './entities.ts';
import { migrations } from './database/migrations.ts';

/** The retention of append-only records, in days. */
type Retention = Pick<Settings, 'AUDIT_RETENTION_DAYS' | 'USAGE_RETENTION_DAYS' | 'TOOL_CALL_RETENTION_DAYS'>;

/**
 * Opens the database of the service and runs its migrations. Only the owner role can set retention
 * times, so that an attacker with the runtime role cannot shorten them.
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
