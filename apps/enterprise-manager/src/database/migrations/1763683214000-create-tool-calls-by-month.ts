import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the records of tool calls, partitioned by the month of the call id. A UUID v7 begins with
 * its time, so the id is unique over all partitions, and whole months can be dropped. Ids of other
 * versions, and times without a partition, are in the default partition.
 *
 * The role of the service may not create tables. `ensure_tool_call_partitions` creates partitions
 * with the rights of the owner, and moves rows of the default partition into their new month.
 */
export class CreateToolCallsByMonth implements MigrationInterface {
  readonly name = 'ToolCallsByMonth1763683214000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner);
    await createFunctions(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION ensure_tool_call_partitions(date, date)');
    await runner.query('DROP TABLE tool_calls');
    await runner.query('DROP FUNCTION first_uuid_at(timestamptz)');
    await runner.query('DROP SEQUENCE tool_call_arrivals');
  }
}

/** Creates the table of records with its indexes and its default partition. */
async function createTable(runner: QueryRunner): Promise<void> {
  await runner.query('CREATE SEQUENCE tool_call_arrivals');
  await runner.query(`
      CREATE TABLE tool_calls (
        call_id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        gateway_id text NOT NULL,
        environment text NOT NULL,
        connector_id uuid,
        connector_name text,
        tool_name text NOT NULL,
        user_id uuid,
        user_email text,
        groups jsonb NOT NULL,
        decision text NOT NULL,
        outcome text NOT NULL,
        category text NOT NULL,
        billable boolean NOT NULL,
        billable_reason text,
        definition_version text,
        duration_ms integer,
        arguments_sha256 text,
        content_sha256 text NOT NULL,
        arrival bigint NOT NULL DEFAULT nextval('tool_call_arrivals'),
        arrived_at timestamptz(3) NOT NULL,
        CONSTRAINT tool_calls_pkey PRIMARY KEY (call_id)
      ) PARTITION BY RANGE (call_id)`);
  await runner.query(
    'CREATE INDEX tool_calls_of_connector ON tool_calls (gateway_id, connector_id, occurred_at, call_id)',
  );
  await runner.query('CREATE INDEX tool_calls_of_user ON tool_calls (user_id, connector_id, occurred_at, call_id)');
  await runner.query('CREATE INDEX tool_calls_by_arrival ON tool_calls (gateway_id, arrival)');
  await runner.query('CREATE TABLE tool_calls_other PARTITION OF tool_calls DEFAULT');
}

/** Creates the function that creates partitions, and the first UUID of a time. */
async function createFunctions(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE FUNCTION first_uuid_at(instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
        SELECT (lpad(to_hex((extract(epoch FROM instant) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
      $$`);
  await runner.query(`
      CREATE FUNCTION ensure_tool_call_partitions(earliest date, latest date) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      DECLARE
        month timestamp := date_trunc('month', earliest::timestamp);
        made integer := 0;
        partition text;
        lower_bound uuid;
        upper_bound uuid;
      BEGIN
        IF latest > earliest + 800 THEN RAISE EXCEPTION 'more months than anybody needs ahead'; END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('tool_calls partitions', 0));
        WHILE month <= latest LOOP
          partition := 'tool_calls_' || to_char(month, 'YYYY_MM');
          IF to_regclass(partition) IS NULL THEN
            lower_bound := first_uuid_at(month AT TIME ZONE 'UTC');
            upper_bound := first_uuid_at((month + interval '1 month') AT TIME ZONE 'UTC');
            LOCK TABLE tool_calls_other IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('CREATE TABLE %I (LIKE tool_calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
            EXECUTE format(
              'WITH moved AS (DELETE FROM tool_calls_other WHERE call_id >= %L AND call_id < %L RETURNING *)
               INSERT INTO %I SELECT * FROM moved', lower_bound, upper_bound, partition);
            EXECUTE format('ALTER TABLE tool_calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                           partition, lower_bound, upper_bound);
            made := made + 1;
          END IF;
          month := month + interval '1 month';
        END LOOP;
        RETURN made;
      END $$`);
}
