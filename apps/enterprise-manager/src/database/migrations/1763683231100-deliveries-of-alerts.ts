import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what alerts send: the outbox, and at once the memory of what an alert has said already. A
 * row is kept until 90 days after it was made and after its window has ended, so that a year's
 * threshold is not crossed a second time. There is no foreign key to the alert: an alert that is
 * deleted while a settlement notes something must not make the settlement fail. A distributed
 * Postgres spreads rows by `subject_id`, beside the cells that they are made with.
 *
 * `next_attempt_at` is also the lease: whoever takes a row moves it ahead by more than an attempt
 * lasts, and signs with `lease_id`.
 */
export class DeliveriesOfAlerts1763683231100 implements MigrationInterface {
  name = 'DeliveriesOfAlerts1763683231100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget_alert_deliveries (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        alert_id uuid NOT NULL,
        sequence bigint GENERATED ALWAYS AS IDENTITY,
        kind text NOT NULL CONSTRAINT budget_alert_deliveries_kind CHECK (kind IN ('crossing', 'test')),
        scope text NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        period text NOT NULL,
        period_start date NOT NULL,
        threshold_percent integer NOT NULL,
        limit_usd numeric(21, 9) NOT NULL,
        used_usd numeric(29, 9) NOT NULL,
        reserved_usd numeric(29, 9) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        kept_until timestamptz(3) NOT NULL,
        body text,
        state text NOT NULL DEFAULT 'pending' CONSTRAINT budget_alert_deliveries_state CHECK (state IN ('pending', 'delivered', 'failed')),
        tries integer NOT NULL DEFAULT 0,
        attempts jsonb NOT NULL DEFAULT '[]',
        next_attempt_at timestamptz(3),
        lease_id uuid,
        CONSTRAINT budget_alert_deliveries_pkey PRIMARY KEY (id, subject_id),
        CONSTRAINT budget_alert_deliveries_waiting CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX budget_alert_deliveries_once
      ON budget_alert_deliveries (alert_id, subject_id, scope, period, period_start, threshold_percent) WHERE kind = 'crossing'`);
    await runner.query('CREATE INDEX budget_alert_deliveries_order ON budget_alert_deliveries (alert_id, sequence)');
    await runner.query(
      'CREATE INDEX budget_alert_deliveries_by_state ON budget_alert_deliveries (alert_id, state, sequence)',
    );
    await runner.query(`
      CREATE INDEX budget_alert_deliveries_due ON budget_alert_deliveries (alert_id, next_attempt_at) WHERE state = 'pending'`);
    await runner.query('CREATE INDEX budget_alert_deliveries_kept ON budget_alert_deliveries (kept_until)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE budget_alert_deliveries');
  }
}
