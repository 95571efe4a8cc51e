import { createDataSource, type Classes } from './data-source.ts';

/**
 * What would have to change in a migrated database so that it fits the entities: one SQL statement
 * each, none when they agree. Foreign tables of migrations that no entity names are not reported.
 *
 * @param ownerUrl a database to which all migrations were applied
 */
export async function schemaDifferences(ownerUrl: string, entities: Classes): Promise<string[]> {
  const dataSource = createDataSource({ url: ownerUrl, entities, applicationName: 'gatehouse-drift', poolSize: 1 });
  await dataSource.initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Fails when entities and migrations have grown apart.
 * @throws {Error} with the SQL that is missing in the migrations
 */
export async function expectMigrationsToMatchEntities(ownerUrl: string, entities: Classes): Promise<void> {
  const missing = await schemaDifferences(ownerUrl, entities);
  if (missing.length > 0) {
    throw new Error(
      `The migrations do not make what the entities say. Missing:\n${missing.map((sql) => `  ${sql};`).join('\n')}`,
    );
  }
}
