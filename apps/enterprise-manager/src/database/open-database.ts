import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { startPostgres } from '@gatehouse/postgres/server';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Settings } from '../config.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations.ts';

/** The service's database, migrated and connected. */
export interface OpenDatabase {
  dataSource: DataSource;
  /** Ends the connections, and the embedded server if there is one. */
  close(): Promise<void>;
}

/** How long what is never changed is kept, in days. */
type Retention = Pick<Settings, 'AUDIT_RETENTION_DAYS' | 'USAGE_RETENTION_DAYS' | 'TOOL_CALL_RETENTION_DAYS'>;

/**
 * Brings the database to the newest schema as its owner and connects as the role that only reads and writes rows. Without DATABASE_URL the service
 * runs a Postgres of its own below GATEHOUSE_HOME.
 */
export async function openDatabase(
  settings: Pick<Settings, 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'GATEHOUSE_HOME'> & Retention,
): Promise<OpenDatabase> {
  const { urls, stop } = await locate(settings);
  try {
    await migrate(urls.ownerUrl, migrations);
    await setRetention(urls.ownerUrl, settings);
    const dataSource = createDataSource({ url: urls.url, entities, applicationName: 'enterprise-manager' });
    await dataSource.initialize();
    return {
      dataSource,
      close: async () => {
        await dataSource.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Only the owner may say how long the audit trail and usage are kept: whoever has taken over the service cannot shorten it. */
async function setRetention(ownerUrl: string, settings: Retention): Promise<void> {
  const owner = createDataSource({
    url: ownerUrl,
    entities: [],
    applicationName: 'enterprise-manager-retention',
    poolSize: 1,
  });
  await owner.initialize();
  try {
    await owner.query('UPDATE audit_retention SET days = $1 WHERE days <> $1', [settings.AUDIT_RETENTION_DAYS]);
    await owner.query('UPDATE usage_retention SET days = $1 WHERE days <> $1', [settings.USAGE_RETENTION_DAYS]);
    await owner.query('UPDATE tool_call_retention SET days = $1 WHERE days <> $1', [settings.TOOL_CALL_RETENTION_DAYS]);
  } finally {
    await owner.destroy();
  }
}

async function locate({
  DATABASE_URL,
  DATABASE_OWNER_URL,
  GATEHOUSE_HOME,
}: Pick<Settings, 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'GATEHOUSE_HOME'>) {
  if (DATABASE_URL !== undefined) {
    return {
      urls: { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL ?? DATABASE_URL },
      stop: () => Promise.resolve(),
    };
  }
  const home = join(GATEHOUSE_HOME, 'enterprise-manager');
  // Started by root, the server runs as another user, who must be able to pass through; its own folder stays closed.
  await mkdir(home, { recursive: true, mode: 0o755 });
  const server = await startPostgres({ directory: join(home, 'postgres') });
  return { urls: await server.database('enterprise_manager'), stop: () => server.stop() };
}
