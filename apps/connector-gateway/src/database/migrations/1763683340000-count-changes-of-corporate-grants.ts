import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the changes of the corporate tokens of a grant, so that a late one does not win. */
export class CountChangesOfCorporateGrants1763683340000 implements MigrationInterface {
  readonly name = 'CountChangesOfCorporateGrants1763683340000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE corporate_grants ADD COLUMN version integer NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE corporate_grants DROP COLUMN version');
  }
}
