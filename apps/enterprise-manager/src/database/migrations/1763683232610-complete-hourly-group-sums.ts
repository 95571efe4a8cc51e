import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildGroupHoursSql } from './1763683232600-create-hourly-group-sums.ts';

/**
 * Completes the hourly sums of groups. Writers of records wait for about two seconds, until the
 * records since the previous migration are counted. The daily sums get the name
 * `tool_call_group_days`. From then on, reports to a replica of the previous release, which updates
 * daily sums only, fail, and gateways repeat them.
 */
export class CompleteHourlyGroupSums implements MigrationInterface {
  readonly name = 'GroupsByDayAndHour1763683232610';

  async up(runner: QueryRunner): Promise<void> {
    // Writers of records lock the end of a chain before the sums.
    await runner.query('DO $$ BEGIN LOCK TABLE tool_call_heads IN EXCLUSIVE MODE; END $$');
    await runner.query(
      buildGroupHoursSql(`(
        SELECT c.* FROM (SELECT DISTINCT gateway_id FROM tool_call_sums WHERE width = 'month' AND grain = 'all') AS g
          LEFT JOIN tool_call_group_hours_until u USING (gateway_id),
          LATERAL (
            SELECT * FROM tool_calls WHERE gateway_id = g.gateway_id AND arrived_at >= coalesce(u.arrived_at, '-infinity')
              AND (arrived_at, sequence) > (coalesce(u.arrived_at, '-infinity'), coalesce(u.sequence, 0))) AS c)`),
    );
    await runner.query('DROP TABLE tool_call_group_hours_until');
    await runner.query('ALTER TABLE tool_call_group_sums RENAME TO tool_call_group_days');
    await runner.query('ALTER INDEX tool_call_group_sums_pkey RENAME TO tool_call_group_days_pkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX tool_call_group_days_pkey RENAME TO tool_call_group_sums_pkey');
    await runner.query('ALTER TABLE tool_call_group_days RENAME TO tool_call_group_sums');
    // The previous release does not update hourly sums. A later migration counts them again.
    await runner.query('TRUNCATE tool_call_group_hours');
    await runner.query(
      'CREATE TABLE tool_call_group_hours_until (gateway_id text, arrived_at timestamptz(3), sequence bigint)',
    );
    await runner.query(`SELECT keep_rights('tool_call_group_hours_until', '{}')`);
  }
}
