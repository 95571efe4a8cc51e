import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of the count of an issuer. */
const STRIPES = 64;
/** First key of the advisory locks of counted rows. The second key is the stripe of the row. */
const STRIPE_LOCKS = 7_046_042;

const OWN_CONNECTION = `pg_backend_pid() % ${STRIPES}`;

/**
 * Counts the users of a transaction in the first row that no other transaction uses. Before, two
 * connections could share a row, and one transaction waited for the other. With more than 64
 * concurrent transactions, some still wait.
 */
export class CountUsersWithoutWaiting implements MigrationInterface {
  readonly name = 'PeopleCountedWithoutWaiting1763683233000';

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
