import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fill factor of pages whose rows all change in the same batch. Half of the page is free for the
 * next versions of all rows, so no index grows.
 */
const FILL_FACTOR = 45;

/**
 * Creates the sums of tool calls by the time of the call (UTC). The transaction that stores a
 * record updates them. They stay longer than the records.
 *
 * - `tool_call_sums`: by hour, day and month, in three grains: by decision (`all`), by connector,
 *   and by connector and tool. Columns that a grain does not use are empty or contain the nil UUID.
 *   The nil UUID also represents a call without a connector.
 * - `tool_call_user_sums`: by user and day.
 * - `tool_call_group_sums`: by connector, group and day. A call counts in each group of its caller;
 *   the group with an empty id contains all users.
 * - `tool_call_users`: the users with calls, by day and month.
 */
export class CreateToolCallSums implements MigrationInterface {
  readonly name = 'SumsOfToolCalls1763683232210';

  async up(runner: QueryRunner): Promise<void> {
    const gatewayColumn = `
      gateway_id text COLLATE "C" NOT NULL,`;
    const environmentColumn = `
      environment text COLLATE "C" NOT NULL,`;
    await runner.query(`
      CREATE TABLE tool_call_sums (${gatewayColumn}
        grain text COLLATE "C" NOT NULL CONSTRAINT tool_call_sums_grain CHECK (grain IN ('all', 'connector', 'tool')),
        width text COLLATE "C" NOT NULL CONSTRAINT tool_call_sums_width CHECK (width IN ('hour', 'day', 'month')),
        bucket timestamptz(0) NOT NULL,
        connector_id uuid NOT NULL,
        tool_name text COLLATE "C" NOT NULL,
        decision text COLLATE "C" NOT NULL,${environmentColumn}
        calls bigint NOT NULL,
        CONSTRAINT tool_call_sums_pkey PRIMARY KEY (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment)
      ) WITH (fillfactor = ${FILL_FACTOR})`);
    await runner.query(`
      CREATE TABLE tool_call_user_sums (${gatewayColumn}
        user_id uuid NOT NULL,
        bucket timestamptz(0) NOT NULL,
        connector_id uuid NOT NULL,
        tool_name text COLLATE "C" NOT NULL,
        decision text COLLATE "C" NOT NULL,${environmentColumn}
        calls bigint NOT NULL,
        last_activity timestamptz(3) NOT NULL,
        CONSTRAINT tool_call_user_sums_pkey PRIMARY KEY (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE tool_call_group_sums (${gatewayColumn}
        connector_id uuid NOT NULL,
        bucket timestamptz(0) NOT NULL,
        group_id text COLLATE "C" NOT NULL,${environmentColumn}
        group_name text NOT NULL,
        calls bigint NOT NULL,
        CONSTRAINT tool_call_group_sums_pkey PRIMARY KEY (gateway_id, connector_id, bucket, group_id, environment)
      ) WITH (fillfactor = ${FILL_FACTOR})`);
    await runner.query(`
      CREATE TABLE tool_call_users (${gatewayColumn}
        width text COLLATE "C" NOT NULL CONSTRAINT tool_call_users_width CHECK (width IN ('day', 'month')),
        bucket timestamptz(0) NOT NULL,${environmentColumn}
        user_id uuid NOT NULL,
        CONSTRAINT tool_call_users_pkey PRIMARY KEY (gateway_id, width, bucket, environment, user_id)
      )`);
    for (const table of ['tool_call_sums', 'tool_call_user_sums', 'tool_call_group_sums'])
      await runner.query(`SELECT keep_rights('${table}', '{SELECT,INSERT,UPDATE}')`);
    await runner.query(`SELECT keep_rights('tool_call_users', '{SELECT,INSERT}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['tool_call_users', 'tool_call_group_sums', 'tool_call_user_sums', 'tool_call_sums'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

const NIL_UUID = `'00000000-0000-0000-0000-000000000000'::uuid`;
const CONNECTOR = `coalesce(connector_id, ${NIL_UUID})`;
/** The grains, with their columns for connector, tool and decision. */
const GRAINS = [
  ['all', NIL_UUID, `''`, 'decision'],
  ['connector', CONNECTOR, `''`, `''`],
  ['tool', CONNECTOR, 'tool_name', `''`],
] as const;
const buildStartSql = (width: string) => `date_trunc('${width}', occurred_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
const buildGroupsSql = (records: string) => `
  (SELECT '' AS id, '' AS name, r.gateway_id, r.connector_id, r.occurred_at, r.environment FROM ${records} r
   UNION ALL
   SELECT g->>'id', g->>'name', r.gateway_id, r.connector_id, r.occurred_at, r.environment
   FROM ${records} r, json_array_elements(r.groups) g) AS entries`;

/**
 * Returns statements that fill empty tables of sums from records, in the order of time.
 * @param records table or subselect without a name
 */
export const sumsOfRecords = (records: string): string[] => [
  ...GRAINS.flatMap(([grain, connector, tool, decision]) =>
    ['hour', 'day', 'month'].map(
      (width) => `
      INSERT INTO tool_call_sums (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment, calls)
      SELECT gateway_id, '${grain}', '${width}', ${buildStartSql(width)}, ${connector}, ${tool}, ${decision}, environment, count(*)
      FROM ${records} r GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 4, 5, 6`,
    ),
  ),
  `INSERT INTO tool_call_user_sums (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity)
   SELECT gateway_id, user_id, ${buildStartSql('day')}, coalesce(connector_id, ${NIL_UUID}), tool_name, decision, environment, count(*), max(occurred_at)
   FROM ${records} r WHERE user_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 3, 2`,
  `INSERT INTO tool_call_group_sums (gateway_id, connector_id, bucket, group_id, environment, group_name, calls)
   SELECT gateway_id, connector_id, ${buildStartSql('day')}, id, environment, max(name), count(*)
   FROM ${buildGroupsSql(records)} WHERE connector_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 2`,
  ...['day', 'month'].map(
    (width) => `
      INSERT INTO tool_call_users (gateway_id, width, bucket, environment, user_id)
      SELECT DISTINCT gateway_id, '${width}', ${buildStartSql(width)}, environment, user_id FROM ${records} r WHERE user_id IS NOT NULL ORDER BY 3`,
  ),
];
