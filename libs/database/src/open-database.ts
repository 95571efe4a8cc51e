import { startPostgres } from '@gatehouse/postgres/server';
import type { OpenResource } from '@gatehouse/service-kit/resource.module';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource, type Classes } from './data-source.ts';
import { migrate } from './migrate.ts';
import { pingDatabase } from './ready.ts';
import { unreachableDatabase } from './unreachable.ts';

/** Where a service's database is. */
export interface DatabaseSettings {
  /** Of the role that reads and writes rows; without it the service runs a Postgres of its own. */
  DATABASE_URL?: string | undefined;
  /** Of the role that owns the schema; without it that of DATABASE_URL. */
  DATABASE_OWNER_URL?: string | undefined;
  /** Folder of the Postgres of its own. */
  GATEHOUSE_HOME: string;
}

/** What a service's database is to hold. */
export interface ServiceDatabase {
  /**
   * Name of the service, with hyphens: its connections bear it, and its own Postgres lies in a
   * folder of that name.
   */
  service: string;
  entities: Classes;
  migrations: Classes;
  /**
   * What is written by the owner of the schema after each migration, since the service itself may
   * not change it.
   */
  asOwner?: (owner: DataSource) => Promise<void>;
}

/**
 * Brings a service's database to the newest schema as its owner and connects as the role that only
 * reads and writes rows. Without DATABASE_URL the service runs a Postgres of its own below
 * GATEHOUSE_HOME, which ends when the database is closed.
 * @throws {StartError} naming the variable, when the database cannot be reached
 * @throws {Error} when a migration fails or `asOwner` does
 */
export async function openServiceDatabase(
  settings: DatabaseSettings,
  { service, entities, migrations, asOwner }: ServiceDatabase,
): Promise<OpenResource<DataSource>> {
  const { urls, stop } = await locate(settings, service);
  try {
    await migrate(urls.ownerUrl, migrations);
    if (asOwner !== undefined) await workAsOwner(urls.ownerUrl, service, asOwner);
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
    throw (await unreachableDatabase({ DATABASE_URL, DATABASE_OWNER_URL }, error)) ?? error;
  }
}

async function workAsOwner(url: string, service: string, work: (owner: DataSource) => Promise<void>): Promise<void> {
  const owner = createDataSource({ url, entities: [], applicationName: `${service}-owner`, poolSize: 1 });
  await owner.initialize();
  try {
    await work(owner);
  } finally {
    await owner.destroy();
  }
}

async function locate({ DATABASE_URL, DATABASE_OWNER_URL, GATEHOUSE_HOME }: DatabaseSettings, service: string) {
  if (DATABASE_URL !== undefined) {
    const urls = { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL ?? DATABASE_URL };
    return { urls, stop: () => Promise.resolve() };
  }
  const home = join(GATEHOUSE_HOME, service);
  // Started by root, the server runs as another user, who must be able to pass through; its own
  // folder stays closed.
  await mkdir(home, { recursive: true, mode: 0o755 });
  const server = await startPostgres({ directory: join(home, 'postgres') });
  return { urls: await server.database(service.replaceAll('-', '_')), stop: () => server.stop() };
}
