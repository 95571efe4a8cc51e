import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What every function of the owner is bound to, whoever calls it: its own tables, months of UTC,
 * and a bound on what it waits for.
 */
export const AS_OWNER = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET TimeZone = 'UTC' SET DateStyle = 'ISO, YMD' SET lock_timeout = '5s'`;

/** Replicas that make or drop months do so one after the other. */
const ONE_AT_A_TIME = `PERFORM pg_advisory_xact_lock(hashtextextended('usage partitions', 0))`;

/**
 * Whoever waits for a table lets nobody pass who comes later. What is waited for here is therefore
 * given up long before anybody notices, and before Postgres looks for deadlocks (one second): then
 * it is never the taking in of usage that is ended for one.
 */
const BRIEFLY = `PERFORM set_config('lock_timeout', '300ms', TRUE)`;

/**
 * Adds the keeping of months of usage: made ahead, or when rows have come for them, and dropped
 * whole when every time in them is a day older than the number of days that the owner wrote into
 * `usage_retention`. The service can ask for it and has no say in how much that is.
 *
 * The claims of attempts end with the usage. An event whose claim may be gone must not be taken in
 * again, so none is older than `kept_from`, which only moves forward, also when more days are kept
 * later. Claims end ten minutes after it has moved: by then no transaction is left that read the
 * earlier one.
 */
export class MonthsOfUsage1763683230310 implements MigrationInterface {
  name = 'MonthsOfUsage1763683230310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_retention (
        only_row boolean PRIMARY KEY DEFAULT TRUE CHECK (only_row),
        days integer NOT NULL CHECK (days >= 30),
        kept_from timestamptz(3) NOT NULL DEFAULT '-infinity',
        kept_since timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query('INSERT INTO usage_retention (days) VALUES (400)');
    await runner.query(`SELECT keep_rights('usage_retention', '{SELECT}')`);
    await addMonthsOf(runner, ['usage_events', 'charges']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropMonthsOf(runner);
    await runner.query('DROP TABLE usage_retention');
  }
}

/**
 * Adds what the service may ask of the owner: months of some tables made, dropped and forgotten.
 */
export async function addMonthsOf(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  await addMaking(runner, tables);
  await addDropping(runner, tables);
  await addForgetting(runner, tables);
}

/** Takes what `addMonthsOf` added away. */
export async function dropMonthsOf(runner: QueryRunner): Promise<void> {
  await runner.query('DROP FUNCTION forget_expired_usage(integer)');
  await runner.query('DROP FUNCTION drop_expired_usage_partition()');
  await runner.query('DROP FUNCTION ensure_usage_partitions(date, date)');
}

/**
 * Months between two dates, and those of times that were reported without one; rows that waited for
 * their month move there.
 */
async function addMaking(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  await runner.query(`
    CREATE FUNCTION ensure_usage_partitions(earliest date, latest date) RETURNS integer ${AS_OWNER} AS $$
    DECLARE
      ends_before timestamptz := (date_trunc('month', latest::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
      months timestamp[];
      month timestamp;
      made integer := 0;
      whole text;
      partition text;
      starts timestamptz;
      ends timestamptz;
    BEGIN
      IF latest > earliest + 800 THEN RAISE EXCEPTION 'more months than anybody needs ahead'; END IF;
      ${ONE_AT_A_TIME};
      ${BRIEFLY};
      months := ARRAY(
        SELECT generate_series(date_trunc('month', earliest::timestamp), latest::timestamp, interval '1 month')
        UNION
        SELECT date_trunc('month', event_time AT TIME ZONE 'UTC') FROM (
          ${tables.map((table) => `SELECT event_time FROM ${table}_other`).join(' UNION ALL ')}
        ) AS waiting, usage_retention
        WHERE event_time >= greatest(kept_from, now() - make_interval(days => days)) AND event_time < ends_before
        ORDER BY 1);
      FOREACH month IN ARRAY months LOOP
        starts := month AT TIME ZONE 'UTC';
        ends := (month + interval '1 month') AT TIME ZONE 'UTC';
        FOREACH whole IN ARRAY ARRAY[${tables.map((table) => `'${table}'`).join(', ')}] LOOP
          partition := whole || '_' || to_char(month, 'YYYY_MM');
          IF to_regclass(partition) IS NULL THEN
            -- Rows may be on their way to where there is no month, and readers on their way past it: both would miss the move. None are of times to come.
            IF starts <= now() + interval '1 day' THEN LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE; END IF;
            EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition, whole);
            EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', whole || '_other');
            EXECUTE format(
              'WITH moved AS (DELETE FROM %I WHERE event_time >= %L AND event_time < %L RETURNING *)
               INSERT INTO %I SELECT * FROM moved', whole || '_other', starts, ends, partition);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', whole, partition, starts, ends);
            PERFORM keep_rights(partition::regclass, '{}');
            made := made + 1;
          END IF;
        END LOOP;
      END LOOP;
      RETURN made;
    END $$`);
}

/**
 * One table each time, the oldest, so that nobody waits for more than that; its name, or nothing
 * when none is due.
 */
async function addDropping(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  await runner.query(`
    CREATE FUNCTION drop_expired_usage_partition() RETURNS text ${AS_OWNER} AS $$
    DECLARE
      cut timestamptz;
      partition text;
    BEGIN
      ${ONE_AT_A_TIME};
      UPDATE usage_retention SET kept_from = due.cut, kept_since = now()
      FROM (
        SELECT date_trunc('month', now() AT TIME ZONE 'UTC' - make_interval(days => days + 1)) AT TIME ZONE 'UTC' AS cut FROM usage_retention
      ) AS due
      WHERE kept_from < due.cut;
      SELECT kept_from INTO cut FROM usage_retention;
      SELECT name INTO partition
      FROM (SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent IN (${tables.map((table) => `'${table}'::regclass`).join(', ')})) AS months
      WHERE name ~ '_[0-9]{4}_[0-9]{2}$'
        AND (to_date(right(name, 7), 'YYYY_MM')::timestamp + interval '1 month') AT TIME ZONE 'UTC' <= cut
      ORDER BY right(name, 7), name LIMIT 1;
      IF partition IS NOT NULL THEN
        ${BRIEFLY};
        EXECUTE format('DROP TABLE %I', partition);
      END IF;
      RETURN partition;
    END $$`);
}

/** A few rows each time, none of which anybody waits for; how many they were. */
async function addForgetting(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  // By key and not by place: a place is of one partition only, should the table ever be spread.
  const few = ([table, key]: readonly [string, string]) => `
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table} WHERE event_time < cut ORDER BY event_time LIMIT least(few, 10000) FOR UPDATE SKIP LOCKED);
      GET DIAGNOSTICS gone = ROW_COUNT;
      forgotten := forgotten + gone;`;
  const expiring = [
    ['usage_claims', 'interaction_id, attempt'],
    ['unpriced_events', 'event_time, event_id, interaction_id'],
    ...tables.map((table) => [`${table}_other`, 'event_time, id, interaction_id'] as const),
  ] as const;
  await runner.query(`
    CREATE FUNCTION forget_expired_usage(few integer) RETURNS integer ${AS_OWNER} AS $$
    DECLARE
      cut timestamptz;
      gone integer;
      forgotten integer := 0;
    BEGIN
      SELECT kept_from INTO cut FROM usage_retention WHERE kept_since <= now() - interval '10 minutes';
      IF cut IS NULL THEN RETURN 0; END IF;
      ${expiring.map(few).join('')}
      RETURN forgotten;
    END $$`);
}
