import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what charges come to, by day (UTC), kept in the transaction of each charge, and longer than the charges themselves.
 *
 * - `spend_daily`: every payer, person, provider and model. All the others are sums of it.
 * - `group_spend_daily`: payers that are groups, without the person, so that a large group is a few rows a day.
 * - `group_spend_monthly`: payers that are groups, by person and month (its first day).
 * - `spend_totals`: everybody together.
 *
 * Rows that every batch writes are spread over stripes, so that replicas need not wait for each other; readers add the stripes up.
 */
export class SpendByDay1763683230400 implements MigrationInterface {
  name = 'SpendByDay1763683230400';

  async up(runner: QueryRunner): Promise<void> {
    const sums = `
      charge_count bigint NOT NULL,
      charged_usd numeric(29, 9) NOT NULL`;
    await runner.query(`
      CREATE TABLE spend_daily (
        subject_id text COLLATE "C" NOT NULL,
        scope text NOT NULL,
        day date NOT NULL,
        auth_subject text COLLATE "C" NOT NULL,
        provider text COLLATE "C" NOT NULL,
        model text COLLATE "C" NOT NULL,
        ${sums},
        CONSTRAINT spend_daily_pkey PRIMARY KEY (subject_id, scope, day, auth_subject, provider, model)
      ) WITH (fillfactor = 80)`);
    await runner.query('CREATE INDEX spend_daily_of_person ON spend_daily (auth_subject, day)');
    await runner.query('CREATE INDEX spend_daily_by_day ON spend_daily (day)');
    await runner.query(`
      CREATE TABLE group_spend_daily (
        subject_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        provider text COLLATE "C" NOT NULL,
        model text COLLATE "C" NOT NULL,
        stripe smallint NOT NULL,
        ${sums},
        CONSTRAINT group_spend_daily_pkey PRIMARY KEY (subject_id, day, provider, model, stripe)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE group_spend_monthly (
        subject_id text COLLATE "C" NOT NULL,
        month date NOT NULL,
        auth_subject text COLLATE "C" NOT NULL,
        ${sums},
        CONSTRAINT group_spend_monthly_pkey PRIMARY KEY (subject_id, month, auth_subject)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE spend_totals (
        day date NOT NULL,
        scope text NOT NULL,
        provider text COLLATE "C" NOT NULL,
        model text COLLATE "C" NOT NULL,
        stripe smallint NOT NULL,
        ${sums},
        CONSTRAINT spend_totals_pkey PRIMARY KEY (day, scope, provider, model, stripe)
      ) WITH (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['spend_totals', 'group_spend_monthly', 'group_spend_daily', 'spend_daily'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
