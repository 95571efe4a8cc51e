import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of all functions of the owner: search path, months in UTC, and a limit for waits. */
const AS_OWNER = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET TimeZone = 'UTC' SET DateStyle = 'ISO, YMD' SET lock_timeout = '5s'`;

/** Lets one replica at a time create or drop months. */
const SERIALIZE = `PERFORM pg_advisory_xact_lock(hashtextextended('tool_calls partitions', 0))`;

/** Ends a wait before it delays later requests and before Postgres searches for deadlocks. */
const SHORT_LOCK_TIMEOUT = `PERFORM set_config('lock_timeout', '300ms', TRUE)`;

/**
 * Adds the partitions and the retention of tool calls. Months are created in advance, and dropped
 * `tool_call_retention` days after their end. A month of arrival contains whole chains. The claims
 * and checkpoints of dropped records are deleted later, a few at a time. Sums stay.
 */
export class AddRetentionOfToolCalls implements MigrationInterface {
  readonly name = 'MonthsOfToolCalls1763683232220';

  async up(runner: QueryRunner): Promise<void> {
    await createRetention(runner);
    await addCreation(runner);
    await addDropping(runner);
    await addForgetting(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION forget_expired_tool_calls(integer)');
    await runner.query('DROP FUNCTION drop_expired_tool_call_partition()');
    await runner.query('DROP FUNCTION ensure_tool_call_partitions(date, date)');
    await runner.query('DROP TABLE tool_call_retention');
  }
}

/** Creates the table with the retention period of records, in days. */
async function createRetention(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE tool_call_retention (
        only_row boolean PRIMARY KEY DEFAULT TRUE CHECK (only_row),
        days integer NOT NULL CHECK (days >= 30),
        kept_from timestamptz(3) NOT NULL DEFAULT '-infinity'
      )`);
  await runner.query('INSERT INTO tool_call_retention (days) VALUES (400)');
  await runner.query(`SELECT keep_rights('tool_call_retention', '{SELECT}')`);
}

/** Adds the function that creates months. */
async function addCreation(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE FUNCTION ensure_tool_call_partitions(earliest date, latest date) RETURNS integer ${AS_OWNER} AS $$
      DECLARE
        month timestamp := date_trunc('month', earliest::timestamp);
        made integer := 0;
        partition text;
        starts timestamptz;
        ends timestamptz;
      BEGIN
        IF latest > earliest + 800 THEN RAISE EXCEPTION 'more months than anybody needs ahead'; END IF;
        ${SERIALIZE};
        ${SHORT_LOCK_TIMEOUT};
        WHILE month <= latest LOOP
          partition := 'tool_calls_' || to_char(month, 'YYYY_MM');
          IF to_regclass(partition) IS NULL THEN
            starts := month AT TIME ZONE 'UTC';
            ends := (month + interval '1 month') AT TIME ZONE 'UTC';
            -- Records may be on their way to where there is no month, and readers on their way past it: both would miss the move.
            IF starts <= now() + interval '1 day' THEN LOCK TABLE tool_calls IN ACCESS EXCLUSIVE MODE; END IF;
            EXECUTE format('CREATE TABLE %I (LIKE tool_calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
            LOCK TABLE tool_calls_other IN ACCESS EXCLUSIVE MODE;
            EXECUTE format(
              'WITH moved AS (DELETE FROM tool_calls_other WHERE arrived_at >= %L AND arrived_at < %L RETURNING *)
               INSERT INTO %I SELECT * FROM moved', starts, ends, partition);
            EXECUTE format('ALTER TABLE tool_calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, starts, ends);
            PERFORM keep_rights(partition::regclass, '{}');
            made := made + 1;
          END IF;
          month := month + interval '1 month';
        END LOOP;
        RETURN made;
      END $$`);
}

/** Adds the function that drops the oldest expired month. */
async function addDropping(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE FUNCTION drop_expired_tool_call_partition() RETURNS text ${AS_OWNER} AS $$
      DECLARE
        cut timestamptz;
        partition text;
      BEGIN
        ${SERIALIZE};
        UPDATE tool_call_retention SET kept_from = due.cut
        FROM (
          SELECT date_trunc('month', now() AT TIME ZONE 'UTC' - make_interval(days => days)) AT TIME ZONE 'UTC' AS cut FROM tool_call_retention
        ) AS due
        WHERE kept_from < due.cut;
        SELECT kept_from INTO cut FROM tool_call_retention;
        SELECT name INTO partition
        FROM (SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'tool_calls'::regclass) AS months
        WHERE name ~ '_[0-9]{4}_[0-9]{2}$'
          AND (to_date(right(name, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' <= cut
        ORDER BY name LIMIT 1;
        IF partition IS NOT NULL THEN
          ${SHORT_LOCK_TIMEOUT};
          EXECUTE format('DROP TABLE %I', partition);
        END IF;
        RETURN partition;
      END $$`);
}

/** Adds the function that deletes a few claims and checkpoints of dropped records. */
async function addForgetting(runner: QueryRunner): Promise<void> {
  const few = ([table, key, time]: readonly [string, string, string]) => `
        DELETE FROM ${table} WHERE (${key}) IN (
          SELECT ${key} FROM ${table} WHERE ${time} < cut LIMIT least(few, 10000) FOR UPDATE SKIP LOCKED);
        GET DIAGNOSTICS gone = ROW_COUNT;
        forgotten := forgotten + gone;`;
  const tables = [
    ['tool_call_claims', 'call_id', 'arrived_on'],
    ['tool_call_checkpoints', 'gateway_id, arrived_at, sequence', 'arrived_at'],
    ['tool_calls_other', 'gateway_id, arrived_at, sequence', 'arrived_at'],
  ] as const;
  await runner.query(`
      CREATE FUNCTION forget_expired_tool_calls(few integer) RETURNS integer ${AS_OWNER} AS $$
      DECLARE
        cut timestamptz;
        gone integer;
        forgotten integer := 0;
      BEGIN
        SELECT kept_from INTO cut FROM tool_call_retention WHERE isfinite(kept_from);
        IF cut IS NULL THEN RETURN 0; END IF;
        ${tables.map(few).join('')}
        RETURN forgotten;
      END $$`);
}
