import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the deliveries of alerts: the outbox, and the record of the thresholds that an alert has
 * reported. A row is kept until 90 days after its creation and after the end of its window, so that
 * the threshold of a year is not reported twice. There is no foreign key to the alert: the deletion
 * of an alert must not cause a concurrent settlement to fail. A distributed Postgres distributes
 * rows by `subject_id`, like the cells of the same transaction.
 *
 * `next_attempt_at` is also the lease: a worker that takes a row moves it ahead by more than the
 * duration of an attempt, and signs with `lease_id`.
 */
export class CreateBudgetAlertDeliveries implements MigrationInterface {
  readonly name = 'DeliveriesOfAlerts1763683231100';

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
