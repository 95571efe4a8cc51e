import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a record leave out the digest of the arguments: those of an unknown tool are not hashed. */
export class RecordCallsWithoutArguments1763683304001 implements MigrationInterface {
  name = 'RecordCallsWithoutArguments1763683304001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tool_calls ALTER COLUMN arguments_sha256 DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE tool_calls SET arguments_sha256 = '' WHERE arguments_sha256 IS NULL`);
    await runner.query('ALTER TABLE tool_calls ALTER COLUMN arguments_sha256 SET NOT NULL');
  }
}
