import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hoursOfGroups } from './1763683232600-hours-of-groups.ts';

/**
 * Completes the hours of groups: nobody adds to a chain until those records are counted that came
 * since the last migration, a second or two. The sums of days get the name `tool_call_group_days`,
 * so that a replica from before, which would add to days alone, is refused from here on; gateways
 * repeat what it refuses.
 */
export class GroupsByDayAndHour1763683232610 implements MigrationInterface {
  name = 'GroupsByDayAndHour1763683232610';

  async up(runner: QueryRunner): Promise<void> {
    // Whoever adds records locks the end of a chain first, and sums after it.
    await runner.query('DO $$ BEGIN LOCK TABLE tool_call_heads IN EXCLUSIVE MODE; END $$');
    await runner.query(
      hoursOfGroups(`(
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
    // Nothing adds to hours now: the next time they are counted from the beginning.
    await runner.query('TRUNCATE tool_call_group_hours');
    await runner.query(
      'CREATE TABLE tool_call_group_hours_until (gateway_id text, arrived_at timestamptz(3), sequence bigint)',
    );
    await runner.query(`SELECT keep_rights('tool_call_group_hours_until', '{}')`);
  }
}
