import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leaves the list of applied migrations to the owner: the role that the service runs as may read
 * it, and could otherwise make a later start skip one.
 */
export class MigrationsAreTheOwners1763683225100 implements MigrationInterface {
  name = 'MigrationsAreTheOwners1763683225100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT keep_rights('schema_migrations', '{SELECT}')`);
    await runner.query(`SELECT keep_rights(pg_get_serial_sequence('schema_migrations', 'id')::regclass, '{}')`);
  }

  async down(): Promise<void> {
    // The owner needs no right that it has not.
  }
}
