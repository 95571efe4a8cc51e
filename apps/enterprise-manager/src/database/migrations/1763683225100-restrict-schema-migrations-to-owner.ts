import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets only the owner change the list of applied migrations. The role of the service may read it.
 * With more rights, the service could make a later start skip a migration.
 */
export class RestrictSchemaMigrationsToOwner implements MigrationInterface {
  readonly name = 'MigrationsAreTheOwners1763683225100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT keep_rights('schema_migrations', '{SELECT}')`);
    await runner.query(`SELECT keep_rights(pg_get_serial_sequence('schema_migrations', 'id')::regclass, '{}')`);
  }

  async down(): Promise<void> {}
}
