import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Puts the calls of a person in the order of time, whatever was called. What a gateway reports lies
 * at the end of each person's entries then, and not at the end of each of that person's connectors,
 * which are many times more pages to log whole after a checkpoint. A range of time of a person is
 * one part of it; one connector's calls are told apart within the index.
 */
export class CallsOfPeopleByTime1763683232900 implements MigrationInterface {
  name = 'CallsOfPeopleByTime1763683232900';

  async up(runner: QueryRunner): Promise<void> {
    await this.replace(runner, 'user_id, occurred_at, call_id, connector_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.replace(runner, 'user_id, connector_id, occurred_at, call_id');
  }

  /** Readers go on while the new index is made; only records wait. */
  private async replace(runner: QueryRunner, columns: string): Promise<void> {
    await runner.query(`CREATE INDEX tool_calls_of_user_anew ON tool_calls (${columns})`);
    await runner.query('DROP INDEX tool_calls_of_user');
    await runner.query('ALTER INDEX tool_calls_of_user_anew RENAME TO tool_calls_of_user');
  }
}
