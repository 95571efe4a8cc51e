import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows among which the count of an issuer is divided. */
const STRIPES = 64;
/**
 * First key of the advisory locks that say which rows are being written; the second is the row's
 * stripe.
 */
const STRIPE_LOCKS = 7_046_042;

const OWN_CONNECTION = `pg_backend_pid() % ${STRIPES}`;

/**
 * Each transaction counts people in the first row that no other one is counting in. The row of its
 * own connection could be another connection's too, whose transaction then had to end before this
 * one went on. Beyond 64 transactions at once some wait as before.
 */
export class PeopleCountedWithoutWaiting1763683233000 implements MigrationInterface {
  name = 'PeopleCountedWithoutWaiting1763683233000';

  async up(runner: QueryRunner): Promise<void> {
    await this.countIn(
      runner,
      `COALESCE(
        (SELECT free FROM generate_series(0, ${STRIPES - 1}) AS free WHERE pg_try_advisory_xact_lock(${STRIPE_LOCKS}, free) LIMIT 1),
        ${OWN_CONNECTION})`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.countIn(runner, OWN_CONNECTION);
  }

  private async countIn(runner: QueryRunner, stripe: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION count_people(of_issuer text, change bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO people_counts AS c (issuer, stripe, people) VALUES (of_issuer, ${stripe}, change)
        ON CONFLICT (issuer, stripe) DO UPDATE SET people = c.people + excluded.people
      $$`);
  }
}
