import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['user_metadata', 'metadata'],
  ['group_metadata', 'metadata'],
  ['client_config', 'config'],
  ['client_config_overrides', 'config'],
] as const;

/** Stores free-form JSON as its text: `jsonb` changes the text of numbers. */
export class StoreFreeFormJsonAsText implements MigrationInterface {
  readonly name = 'KeepTextOfNumbers1763683234000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS)
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE json USING ${column}::json`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS)
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE jsonb USING ${column}::jsonb`);
  }
}
