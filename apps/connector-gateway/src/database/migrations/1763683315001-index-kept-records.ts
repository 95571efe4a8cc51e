import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the records that local mode keeps by their age. */
export class IndexKeptRecords1763683315001 implements MigrationInterface {
  readonly name = 'IndexKeptRecords1763683315001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX tool_calls_kept ON tool_calls (call_id) WHERE state = 'kept'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX tool_calls_kept');
  }
}
