import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Orders the index of the calls of a user by time instead of by connector. The records of a report
 * are then at the end of the entries of each user, so fewer pages change and are logged after a
 * checkpoint. A time range of a user is one part of the index, which also filters by connector.
 */
export class IndexCallsOfUsersByTime implements MigrationInterface {
  readonly name = 'CallsOfPeopleByTime1763683232900';

  async up(runner: QueryRunner): Promise<void> {
    await this.replace(runner, 'user_id, occurred_at, call_id, connector_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.replace(runner, 'user_id, connector_id, occurred_at, call_id');
  }

  /** Readers continue while the new index is created; only writers of records wait. */
  private async replace(runner: QueryRunner, columns: string): Promise<void> {
    await runner.query(`CREATE INDEX tool_calls_of_user_anew ON tool_calls (${columns})`);
    await runner.query('DROP INDEX tool_calls_of_user');
    await runner.query('ALTER INDEX tool_calls_of_user_anew RENAME TO tool_calls_of_user');
  }
}
