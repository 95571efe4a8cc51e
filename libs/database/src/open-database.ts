import { startPostgres } from '@gatehouse/postgres/server';
import type { OpenResource } from '@gatehouse/service-kit/resource.module';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource, type Classes } from './data-source.ts';
import { migrate } from './migrate.ts';
import { pingDatabase } from './ready.ts';
import { findUnreachableDatabase } from './unreachable.ts';

/** The settings of a service that locate its database. */
export interface DatabaseSettings {
  /** URL of the role that reads and writes rows. Without it the service runs its own Postgres. */
  DATABASE_URL?: string | undefined;
  /** URL of the role that owns the schema. Default is DATABASE_URL. */
  DATABASE_OWNER_URL?: string | undefined;
  /** Folder of the service's own Postgres. */
  GATEHOUSE_HOME: string;
}

/** The content of a service's database. */
export interface ServiceDatabase {
  /**
   * Name of the service, with hyphens. It names the connections, and the folder of the service's
   * own Postgres.
   */
  service: string;
  entities: Classes;
  migrations: Classes;
  /**
   * Writes rows that the service itself may not change. Runs as the owner of the schema, after the
   * migrations.
   */
  asOwner?: (owner: DataSource) => Promise<void>;
}

/**
 * Migrates a service's database as its owner, and connects as the role that only reads and writes
 * rows. Without DATABASE_URL it starts a Postgres below GATEHOUSE_HOME and stops it on close.
 * @throws {StartError} with the name of the variable, if the database cannot be reached
 * @throws {Error} if a migration or `asOwner` fails
 */
export async function openServiceDatabase(
  settings: DatabaseSettings,
  { service, entities, migrations, asOwner }: ServiceDatabase,
): Promise<OpenResource<DataSource>> {
  const { urls, stop } = await locateDatabase(settings, service);
  try {
    await migrate(urls.ownerUrl, migrations);
    if (asOwner !== undefined) await runAsOwner(urls.ownerUrl, service, asOwner);
    const dataSource = createDataSource({ url: urls.url, entities, applicationName: service });
    await dataSource.initialize();
    return {
      name: 'database',
      value: dataSource,
      check: () => pingDatabase(dataSource),
      close: async () => {
        await dataSource.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    const { DATABASE_URL, DATABASE_OWNER_URL } = settings;
    throw (await findUnreachableDatabase({ DATABASE_URL, DATABASE_OWNER_URL }, error)) ?? error;
  }
}

async function runAsOwner(url: string, service: string, work: (owner: DataSource) => Promise<void>): Promise<void> {
  const owner = createDataSource({ url, entities: [], applicationName: `${service}-owner`, poolSize: 1 });
  await owner.initialize();
  try {
    await work(owner);
  } finally {
    await owner.destroy();
  }
}

async function locateDatabase({ DATABASE_URL, DATABASE_OWNER_URL, GATEHOUSE_HOME }: DatabaseSettings, service: string) {
  if (DATABASE_URL !== undefined) {
    const urls = { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL ?? DATABASE_URL };
    return { urls, stop: () => Promise.resolve() };
  }
  const home = join(GATEHOUSE_HOME, service);
  // Under root, the server runs as another user, which must be able to traverse this folder. The
  // data folder itself stays private.
  await mkdir(home, { recursive: true, mode: 0o755 });
  const server = await startPostgres({ directory: join(home, 'postgres') });
  return { urls: await server.database(service.replaceAll('-', '_')), stop: () => server.stop() };
}
