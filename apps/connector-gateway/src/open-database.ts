import { type DatabaseSettings, openServiceDatabase } from '@gatehouse/database/open-database';
import type { OpenResource } from '@gatehouse/service-kit/resource.module';
import type { DataSource } from 'typeorm';
import { entities } from './entities.ts';
import { migrations } from './database/migrations.ts';

/** Opens the service's database and migrates it. */
export function openDatabase(settings: DatabaseSettings): Promise<OpenResource<DataSource>> {
  return openServiceDatabase(settings, { service: 'connector-gateway', entities, migrations });
}
