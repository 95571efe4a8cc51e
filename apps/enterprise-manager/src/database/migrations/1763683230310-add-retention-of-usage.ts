import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of all functions of the owner: search path, months in UTC, and a limit for waits. */
export const AS_OWNER = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET TimeZone = 'UTC' SET DateStyle = 'ISO, YMD' SET lock_timeout = '5s'`;

/** Lets one replica at a time create or drop months. */
const SERIALIZE = `PERFORM pg_advisory_xact_lock(hashtextextended('usage partitions', 0))`;

/**
 * A waiting table lock blocks all later requests of the table. Therefore these functions fail after
 * a short time, before Postgres searches for deadlocks (one second) and could end the transaction
 * of a usage report.
 */
const SHORT_LOCK_TIMEOUT = `PERFORM set_config('lock_timeout', '300ms', TRUE)`;

/**
 * Adds the partitions and the retention of usage. Months are created in advance, or when they have
 * rows, and are dropped when all their times are a day older than the number of days in
 * `usage_retention`. The service can request this and cannot change the number.
 *
 * The claims of attempts end with the usage. An event without its claim must not be accepted again,
 * so no event may be older than `kept_from`, which only increases, also when the retention grows.
 * Claims are deleted ten minutes after the increase. All transactions with the earlier value have
 * ended by then.
 */
export class AddRetentionOfUsage implements MigrationInterface {
  readonly name = 'MonthsOfUsage1763683230310';

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

/** Adds the functions that create, drop and empty the months of tables. */
export async function addMonthsOf(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  await addMaking(runner, tables);
  await addDropping(runner, tables);
  await addForgetting(runner, tables);
}

/** Drops the functions of `addMonthsOf`. */
export async function dropMonthsOf(runner: QueryRunner): Promise<void> {
  await runner.query('DROP FUNCTION forget_expired_usage(integer)');
  await runner.query('DROP FUNCTION drop_expired_usage_partition()');
  await runner.query('DROP FUNCTION ensure_usage_partitions(date, date)');
}

/**
 * Adds the function that creates the months between two dates, and those of rows without a month,
 * which move to their month.
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
      ${SERIALIZE};
      ${SHORT_LOCK_TIMEOUT};
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
 * Adds the function that drops one expired table, the oldest, so that waits are short. It returns
 * the name of the table, or null if none is expired.
 */
async function addDropping(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  await runner.query(`
    CREATE FUNCTION drop_expired_usage_partition() RETURNS text ${AS_OWNER} AS $$
    DECLARE
      cut timestamptz;
      partition text;
    BEGIN
      ${SERIALIZE};
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
        ${SHORT_LOCK_TIMEOUT};
        EXECUTE format('DROP TABLE %I', partition);
      END IF;
      RETURN partition;
    END $$`);
}

/** Adds the function that deletes a few unlocked expired rows and returns their number. */
async function addForgetting(runner: QueryRunner, tables: readonly string[]): Promise<void> {
  // Rows are deleted by key: a ctid would not be unique in a distributed table.
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
