import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what is used and reserved in each window (a cell), and the reservations that hold it. Every
 * payer has a cell of every period, whatever budgets there are at the moment: a budget that is
 * added later finds what was used before it. A new window is a new row; nothing is ever reset. Rows
 * leave room for updates in place, since no index has an amount.
 *
 * A reservation's id is made of its interaction and attempt, so that one attempt has at most one.
 * `subject_id` is the person; the payer may be a group.
 */
export class CellsAndReservations1763683230200 implements MigrationInterface {
  name = 'CellsAndReservations1763683230200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget_cells (
        subject_id text COLLATE "C" NOT NULL,
        scope text NOT NULL,
        period text NOT NULL,
        period_start date NOT NULL,
        used_usd numeric(29, 9) NOT NULL DEFAULT 0,
        reserved_usd numeric(29, 9) NOT NULL DEFAULT 0,
        CONSTRAINT budget_cells_pkey PRIMARY KEY (subject_id, scope, period, period_start)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX budget_cells_of_window ON budget_cells (scope, period, period_start, subject_id)');
    await runner.query(`
      CREATE TABLE reservations (
        id uuid NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        kind text NOT NULL CONSTRAINT reservations_kind CHECK (kind IN ('request', 'lease')),
        interaction_id text,
        attempt integer,
        gateway_id text NOT NULL,
        issuer text NOT NULL,
        user_id uuid,
        virtual_key_id text,
        provider text,
        route text,
        requested_model text,
        model text,
        payer_scope text,
        payer_subject_id text COLLATE "C",
        charge_period text NOT NULL,
        amount_usd numeric(21, 9) NOT NULL,
        held_usd numeric(21, 9) NOT NULL CONSTRAINT reservations_held CHECK (held_usd >= 0),
        pricing_catalog_id uuid NOT NULL,
        admitted_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        released_at timestamptz(3),
        returned_at timestamptz(3),
        CONSTRAINT reservations_pkey PRIMARY KEY (id, subject_id)
      ) WITH (fillfactor = 80)`);
    await runner.query('CREATE INDEX reservations_expiring ON reservations (expires_at) WHERE released_at IS NULL');
    await runner.query(
      'CREATE INDEX reservations_released ON reservations (released_at) WHERE released_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reservations');
    await runner.query('DROP TABLE budget_cells');
  }
}
