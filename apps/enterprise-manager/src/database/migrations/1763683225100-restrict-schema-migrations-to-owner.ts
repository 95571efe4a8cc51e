import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Restricts the list of applied migrations to the owner. The role of the service may read it. With
 * more rights it could make a later start skip a migration.
 */
export class RestrictSchemaMigrationsToOwner implements MigrationInterface {
  readonly name = 'MigrationsAreTheOwners1763683225100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT keep_rights('schema_migrations', '{SELECT}')`);
    await runner.query(`SELECT keep_rights(pg_get_serial_sequence('schema_migrations', 'id')::regclass, '{}')`);
  }

  async down(): Promise<void> {
    // The owner keeps its rights.
  }
}
