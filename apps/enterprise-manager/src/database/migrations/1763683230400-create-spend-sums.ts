import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the sums of charges by day (UTC), month and year. Each charge updates them in its
 * transaction. They stay longer than the charges.
 *
 * - `spend_daily`: by payer, user, provider and model. The other tables are sums of it. Its key
 *   begins with the day, so that the rows of today are together.
 * - `group_spend_daily`: payers that are groups, without the user, so that a large group has few
 *   rows for each day.
 * - `group_spend_by_person`: payers that are groups, by user, for each month and each year (its
 *   first day).
 * - `spend_by_model`: all payers, by model.
 * - `spend_totals`: all payers.
 *
 * Rows that all batches update are split into stripes, so that replicas do not wait for each other.
 * Readers add the stripes. The rows of one payer have no stripes: their writers lock the cells of
 * the payer.
 */
export class CreateSpendSums implements MigrationInterface {
  readonly name = 'SpendByDay1763683230400';

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
        CONSTRAINT spend_daily_pkey PRIMARY KEY (day, subject_id, scope, auth_subject, provider, model)
      ) WITH (fillfactor = 80)`);
    await runner.query('CREATE INDEX spend_daily_of_person ON spend_daily (auth_subject, day)');
    await runner.query(`
      CREATE TABLE group_spend_daily (
        subject_id text COLLATE "C" NOT NULL,
        day date NOT NULL,
        provider text COLLATE "C" NOT NULL,
        model text COLLATE "C" NOT NULL,
        ${sums},
        CONSTRAINT group_spend_daily_pkey PRIMARY KEY (subject_id, day, provider, model)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE group_spend_by_person (
        subject_id text COLLATE "C" NOT NULL,
        period text NOT NULL CONSTRAINT group_spend_by_person_period CHECK (period IN ('month', 'year')),
        period_start date NOT NULL,
        auth_subject text COLLATE "C" NOT NULL,
        ${sums},
        CONSTRAINT group_spend_by_person_pkey PRIMARY KEY (subject_id, period, period_start, auth_subject)
      ) WITH (fillfactor = 80)`);
    await runner.query(
      'CREATE INDEX group_spend_by_person_of_person ON group_spend_by_person (auth_subject, period, period_start)',
    );
    await runner.query(`
      CREATE TABLE spend_by_model (
        model text COLLATE "C" NOT NULL,
        provider text COLLATE "C" NOT NULL,
        scope text NOT NULL,
        day date NOT NULL,
        stripe smallint NOT NULL,
        ${sums},
        CONSTRAINT spend_by_model_pkey PRIMARY KEY (model, provider, scope, day, stripe)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE spend_totals (
        day date NOT NULL,
        scope text NOT NULL,
        stripe smallint NOT NULL,
        ${sums},
        CONSTRAINT spend_totals_pkey PRIMARY KEY (day, scope, stripe)
      ) WITH (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['spend_totals', 'spend_by_model', 'group_spend_by_person', 'group_spend_daily', 'spend_daily'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
