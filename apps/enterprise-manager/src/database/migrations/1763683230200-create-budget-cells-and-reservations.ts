import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates budget cells (used and reserved amounts of one window) and the reservations in them. Each
 * payer has a cell for each period, with or without a budget, so that a later budget includes
 * earlier use. A new window is a new row; rows are never reset. No index contains an amount and
 * pages keep free space, so that updates stay in place.
 *
 * The id of a reservation is derived from its interaction and attempt, so an attempt has at most
 * one. `subject_id` is the user; the payer may be a group.
 */
export class CreateBudgetCellsAndReservations implements MigrationInterface {
  readonly name = 'CellsAndReservations1763683230200';

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
