import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the counts of refused admissions by minute. Missing texts are empty, so that equal
 * denials are one row.
 */
export class CreateBudgetDenials implements MigrationInterface {
  readonly name = 'CountRefusedAdmissions1763683236020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget_denials (
        event_time timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        last_denied_at timestamptz(3) NOT NULL,
        kind text NOT NULL CONSTRAINT budget_denials_kind CHECK (kind IN ('request', 'lease')),
        reason text NOT NULL,
        gateway_id text NOT NULL,
        auth_subject text NOT NULL,
        virtual_key_id text NOT NULL,
        provider text NOT NULL,
        model text NOT NULL,
        denial_count bigint NOT NULL CONSTRAINT budget_denials_count CHECK (denial_count > 0),
        CONSTRAINT budget_denials_pkey PRIMARY KEY (event_time, id)
      ) WITH (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE budget_denials');
  }
}
