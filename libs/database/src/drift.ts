import { createDataSource, type Classes } from './data-source.ts';

/**
 * Lists the SQL statements that would change a migrated database to match the entities; empty if
 * both agree. Tables without an entity are not compared.
 *
 * @param ownerUrl URL of a database with all migrations applied, as the owner of its schema
 */
export async function listSchemaDifferences(ownerUrl: string, entities: Classes): Promise<string[]> {
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
 * Asserts that migrations and entities describe the same schema.
 * @throws {Error} with the SQL that the migrations lack
 */
export async function expectMigrationsToMatchEntities(ownerUrl: string, entities: Classes): Promise<void> {
  const missing = await listSchemaDifferences(ownerUrl, entities);
  if (missing.length > 0) {
    throw new Error(
      `The migrations do not match the entities. Add to a migration:\n${missing.map((sql) => `  ${sql};`).join('\n')}`,
    );
  }
}
