import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Time in seconds that a call counts: the minute, one second for which a replica may use a portion,
 * and one because counts are of whole seconds.
 */
const COUNTED_SECONDS = 62;

/**
 * Creates the counts of calls per minute. The table is unlogged: a write waits for no disk, and
 * counts that a crash of the database loses end with their minute anyway.
 */
export class CreateCallRates1763683307000 implements MigrationInterface {
  readonly name = 'CreateCallRates1763683307000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE call_rates (
        key text NOT NULL,
        second bigint NOT NULL,
        calls integer NOT NULL,
        CONSTRAINT call_rates_pkey PRIMARY KEY (key, second)
      )`);
    await runner.query('CREATE INDEX call_rates_age ON call_rates (second)');
    // The lock makes the calls of one rate wait for each other. Each statement of the function sees
    // the calls that were committed before it.
    await runner.query(`
      CREATE FUNCTION take_calls(
        rate_key text, per_minute integer, wanted integer,
        OUT granted integer, OUT taken_second bigint, OUT retry_after_ms integer
      ) LANGUAGE plpgsql AS $$
      DECLARE
        used bigint;
        oldest bigint;
        present double precision;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('call_rates' || chr(31) || rate_key, 0));
        present := extract(epoch FROM clock_timestamp());
        taken_second := floor(present);
        SELECT coalesce(sum(r.calls), 0), min(r.second) INTO used, oldest FROM call_rates AS r
        WHERE r.key = rate_key AND r.second > taken_second - ${COUNTED_SECONDS} AND r.calls > 0;
        granted := greatest(0, least(wanted, per_minute - used));
        retry_after_ms := 0;
        IF granted > 0 THEN
          INSERT INTO call_rates AS r (key, second, calls) VALUES (rate_key, taken_second, granted)
          ON CONFLICT (key, second) DO UPDATE SET calls = r.calls + excluded.calls;
        ELSE
          retry_after_ms := greatest(1000, ceil((oldest + ${COUNTED_SECONDS} - present) * 1000));
        END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION take_calls(text, integer, integer)');
    await runner.query('DROP TABLE call_rates');
  }
}
