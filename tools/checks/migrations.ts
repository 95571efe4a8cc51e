// Usage: npm run check:migrations (after `npm run build`)
// Runs the migrations of every service on an empty Postgres and compares the tables with the
// entities.
import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import type { Classes } from '@gatehouse/database/data-source';
import { listSchemaDifferences } from '@gatehouse/database/drift';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase } from '@gatehouse/testing/postgres';

const problems: string[] = [];
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(resolve(path)).href)) as T;

for (const folder of globSync('apps/*/dist/database')) {
  const app = folder.split('/')[1] ?? '';
  const { entities } = await load<{ entities: Classes }>(`apps/${app}/dist/entities.js`);
  const { migrations } = await load<{ migrations: (new () => { name?: string })[] }>(`${folder}/migrations.js`);
  // TypeORM records the name of a migration, which ends with the time of its file.
  const listed = new Set(migrations.map((Migration) => /\d+$/.exec(new Migration().name ?? Migration.name)?.[0]));
  for (const file of globSync(`apps/${app}/src/database/migrations/*.ts`)) {
    const time = /(\d{13})-[^/]*$/.exec(file)?.[1];
    if (time === undefined || !listed.has(time)) problems.push(`${file} is not listed in migrations.ts`);
  }
  const database = await createDatabase({ name: `${app}-check` });
  try {
    await migrate(database.ownerUrl, migrations);
    for (const statement of await listSchemaDifferences(database.ownerUrl, entities)) {
      problems.push(`${app}: the entities need: ${statement}`);
    }
  } finally {
    await database.drop();
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
