import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes the sums of single tools and connectors, so that a query of a long range reads only the
 * sums of its tool or connector.
 */
export class IndexSumsOfSingleTools implements MigrationInterface {
  readonly name = 'SumsOfOneToolOverTime1763683232500';

  async up(runner: QueryRunner): Promise<void> {
    for (const [grain, column] of [
      ['tool', 'tool_name'],
      ['connector', 'connector_id'],
    ])
      await runner.query(
        `CREATE INDEX tool_call_sums_of_${grain} ON tool_call_sums (gateway_id, width, ${column}, bucket) WHERE grain = '${grain}'`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const grain of ['tool', 'connector']) await runner.query(`DROP INDEX tool_call_sums_of_${grain}`);
  }
}
