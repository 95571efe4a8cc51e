import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fill factor of pages whose rows all change in the same batch, as in the daily sums. */
const FILL_FACTOR = 45;
const HOUR_SQL = `date_trunc('hour', occurred_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

/**
 * Returns a statement that adds records to the hourly sums of groups, in the order of time.
 * @param records table or subselect without a name
 */
export const buildGroupHoursSql = (records: string): string => `
  INSERT INTO tool_call_group_hours AS s (gateway_id, connector_id, bucket, group_id, environment, calls)
  SELECT gateway_id, connector_id, hour, id, environment, sum(counted)
  FROM (
      SELECT gateway_id, connector_id, ${HOUR_SQL} AS hour, environment, groups::text AS held, count(*) AS counted
      FROM ${records} AS r WHERE connector_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5) AS alike,
    LATERAL (SELECT '' AS id UNION ALL SELECT e->>'id' FROM json_array_elements(held::json) AS e) AS entries
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 2, 4
  ON CONFLICT (gateway_id, connector_id, bucket, group_id, environment) DO UPDATE SET calls = s.calls + EXCLUDED.calls`;

/** The last record of each gateway with calls. */
export const LAST_RECORDS = `
  SELECT gateway_id, arrived_at, sequence FROM (SELECT DISTINCT gateway_id FROM tool_call_sums WHERE width = 'month' AND grain = 'all') AS g,
    LATERAL (SELECT arrived_at, sequence FROM tool_calls c WHERE c.gateway_id = g.gateway_id ORDER BY arrived_at DESC, sequence DESC LIMIT 1) AS last`;

/**
 * Creates the hourly sums of groups, `tool_call_group_hours`, so that a query by hours does not
 * count single records. This migration counts the existing records up to the last record of each
 * gateway (`tool_call_group_hours_until`) while new records arrive. The next migration adds the new
 * records.
 */
export class CreateHourlyGroupSums implements MigrationInterface {
  readonly name = 'HoursOfGroups1763683232600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tool_call_group_hours (
        gateway_id text COLLATE "C" NOT NULL,
        connector_id uuid NOT NULL,
        bucket timestamptz(0) NOT NULL,
        group_id text COLLATE "C" NOT NULL,
        environment text COLLATE "C" NOT NULL,
        calls bigint NOT NULL,
        CONSTRAINT tool_call_group_hours_pkey PRIMARY KEY (gateway_id, connector_id, bucket, group_id, environment)
      ) WITH (fillfactor = ${FILL_FACTOR})`);
    await runner.query(`SELECT keep_rights('tool_call_group_hours', '{SELECT,INSERT,UPDATE}')`);
    await runner.query(`CREATE TABLE tool_call_group_hours_until AS ${LAST_RECORDS}`);
    await runner.query(`SELECT keep_rights('tool_call_group_hours_until', '{}')`);
    await runner.query(`SET LOCAL work_mem = '256MB'`);
    await runner.query(
      buildGroupHoursSql(`(
        SELECT c.* FROM tool_calls c JOIN tool_call_group_hours_until u USING (gateway_id)
        WHERE (c.arrived_at, c.sequence) <= (u.arrived_at, u.sequence))`),
    );
    await runner.query('ANALYZE tool_call_group_hours');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_call_group_hours_until');
    await runner.query('DROP TABLE tool_call_group_hours');
  }
}
