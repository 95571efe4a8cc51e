import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fill factor of pages whose rows all change in the same batch: the next versions of all rows fit
 * only if half of the page is free. Then no index grows.
 */
const WRITTEN_WHOLE = 45;

/**
 * Creates the sums of tool calls by the time of the call (UTC). The transaction that stores a
 * record updates them. They stay longer than the records.
 *
 * - `tool_call_sums`: by hour, day and month, in three grains: by decision (`all`), by connector,
 *   and by connector and tool. Columns that a grain does not use are empty, or the connector of
 *   zeros, which also stands for a call without a connector.
 * - `tool_call_user_sums`: by user and day.
 * - `tool_call_group_sums`: by connector, group and day. A call counts in each group of its caller;
 *   the group with an empty id means all users.
 * - `tool_call_users`: the users with calls, by day and month.
 */
export class CreateToolCallSums implements MigrationInterface {
  readonly name = 'SumsOfToolCalls1763683232210';

  async up(runner: QueryRunner): Promise<void> {
    const whose = `
      gateway_id text COLLATE "C" NOT NULL,`;
    const what = `
      environment text COLLATE "C" NOT NULL,`;
    await runner.query(`
      CREATE TABLE tool_call_sums (${whose}
        grain text COLLATE "C" NOT NULL CONSTRAINT tool_call_sums_grain CHECK (grain IN ('all', 'connector', 'tool')),
        width text COLLATE "C" NOT NULL CONSTRAINT tool_call_sums_width CHECK (width IN ('hour', 'day', 'month')),
        bucket timestamptz(0) NOT NULL,
        connector_id uuid NOT NULL,
        tool_name text COLLATE "C" NOT NULL,
        decision text COLLATE "C" NOT NULL,${what}
        calls bigint NOT NULL,
        CONSTRAINT tool_call_sums_pkey PRIMARY KEY (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment)
      ) WITH (fillfactor = ${WRITTEN_WHOLE})`);
    await runner.query(`
      CREATE TABLE tool_call_user_sums (${whose}
        user_id uuid NOT NULL,
        bucket timestamptz(0) NOT NULL,
        connector_id uuid NOT NULL,
        tool_name text COLLATE "C" NOT NULL,
        decision text COLLATE "C" NOT NULL,${what}
        calls bigint NOT NULL,
        last_activity timestamptz(3) NOT NULL,
        CONSTRAINT tool_call_user_sums_pkey PRIMARY KEY (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE tool_call_group_sums (${whose}
        connector_id uuid NOT NULL,
        bucket timestamptz(0) NOT NULL,
        group_id text COLLATE "C" NOT NULL,${what}
        group_name text NOT NULL,
        calls bigint NOT NULL,
        CONSTRAINT tool_call_group_sums_pkey PRIMARY KEY (gateway_id, connector_id, bucket, group_id, environment)
      ) WITH (fillfactor = ${WRITTEN_WHOLE})`);
    await runner.query(`
      CREATE TABLE tool_call_users (${whose}
        width text COLLATE "C" NOT NULL CONSTRAINT tool_call_users_width CHECK (width IN ('day', 'month')),
        bucket timestamptz(0) NOT NULL,${what}
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

const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;
const CONNECTOR = `coalesce(connector_id, ${NOBODY})`;
/** The grains, with their columns for connector, tool and decision. */
const GRAINS = [
  ['all', NOBODY, `''`, 'decision'],
  ['connector', CONNECTOR, `''`, `''`],
  ['tool', CONNECTOR, 'tool_name', `''`],
] as const;
const startOf = (width: string) => `date_trunc('${width}', occurred_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
const groupsOf = (records: string) => `
  (SELECT '' AS id, '' AS name, r.gateway_id, r.connector_id, r.occurred_at, r.environment FROM ${records} r
   UNION ALL
   SELECT g->>'id', g->>'name', r.gateway_id, r.connector_id, r.occurred_at, r.environment
   FROM ${records} r, json_array_elements(r.groups) g) AS entries`;

/**
 * Statements that fill empty tables of sums from records, in the order of time, as in normal use.
 * @param records table or subselect without a name
 */
export const sumsOfRecords = (records: string): string[] => [
  ...GRAINS.flatMap(([grain, connector, tool, decision]) =>
    ['hour', 'day', 'month'].map(
      (width) => `
      INSERT INTO tool_call_sums (gateway_id, grain, width, bucket, connector_id, tool_name, decision, environment, calls)
      SELECT gateway_id, '${grain}', '${width}', ${startOf(width)}, ${connector}, ${tool}, ${decision}, environment, count(*)
      FROM ${records} r GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 4, 5, 6`,
    ),
  ),
  `INSERT INTO tool_call_user_sums (gateway_id, user_id, bucket, connector_id, tool_name, decision, environment, calls, last_activity)
   SELECT gateway_id, user_id, ${startOf('day')}, coalesce(connector_id, ${NOBODY}), tool_name, decision, environment, count(*), max(occurred_at)
   FROM ${records} r WHERE user_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 3, 2`,
  `INSERT INTO tool_call_group_sums (gateway_id, connector_id, bucket, group_id, environment, group_name, calls)
   SELECT gateway_id, connector_id, ${startOf('day')}, id, environment, max(name), count(*)
   FROM ${groupsOf(records)} WHERE connector_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 2`,
  ...['day', 'month'].map(
    (width) => `
      INSERT INTO tool_call_users (gateway_id, width, bucket, environment, user_id)
      SELECT DISTINCT gateway_id, '${width}', ${startOf(width)}, environment, user_id FROM ${records} r WHERE user_id IS NOT NULL ORDER BY 3`,
  ),
];
