import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates budget alerts. An alert without a scope watches all budgets. An alert without a subject
 * watches all budgets of its scope. An alert without periods watches all periods. Its secrets are
 * encrypted in a separate table: the current secret, and the previous secret until `valid_until`.
 * Both tables are small, so a distributed Postgres keeps a copy on each node (reference tables).
 */
export class CreateBudgetAlerts implements MigrationInterface {
  readonly name = 'AlertsAboutBudgets1763683231000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget_alerts (
        id uuid NOT NULL CONSTRAINT budget_alerts_pkey PRIMARY KEY,
        name text NOT NULL,
        scope text CONSTRAINT budget_alerts_scope CHECK (scope IN ('user', 'group')),
        subject_id text COLLATE "C",
        periods text[],
        thresholds integer[] NOT NULL,
        url text NOT NULL,
        allow_private_ips boolean NOT NULL,
        enabled boolean NOT NULL,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT budget_alerts_subject CHECK (subject_id IS NULL OR scope IS NOT NULL)
      )`);
    await runner.query('CREATE INDEX budget_alerts_order ON budget_alerts (created_at, id)');
    await runner.query(`
      CREATE TABLE budget_alert_secrets (
        id uuid NOT NULL CONSTRAINT budget_alert_secrets_pkey PRIMARY KEY,
        alert_id uuid NOT NULL CONSTRAINT budget_alert_secrets_alert_fkey REFERENCES budget_alerts ON DELETE CASCADE,
        key_version integer NOT NULL,
        wrapped_key bytea NOT NULL,
        ciphertext bytea NOT NULL,
        valid_until timestamptz(3)
      )`);
    await runner.query('CREATE INDEX budget_alert_secrets_of_alert ON budget_alert_secrets (alert_id)');
    await runner.query('CREATE INDEX budget_alert_secrets_key_version ON budget_alert_secrets (key_version, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE budget_alert_secrets');
    await runner.query('DROP TABLE budget_alerts');
  }
}
