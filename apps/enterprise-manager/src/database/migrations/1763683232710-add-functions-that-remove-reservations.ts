import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Selects rows by pairs of keys through the index, independent of the statistics of the table. The
 * ids are an index condition. The pairs are a hashed set, because an id almost always has one user.
 * `IS TRUE` prevents a join, in which Postgres could read all keys for each row.
 */
const BY_KEY = `WHERE r.id = ANY (ids) AND ((r.id, r.subject_id) IN (SELECT * FROM unnest(ids, subjects))) IS TRUE`;
const BY_INDEX = 'SET enable_seqscan = off';

/**
 * Adds the functions that remove reservations. Reservations exist for minutes, so the statistics of
 * Postgres often describe an almost empty table. The resulting plan for thousands of keys among
 * thousands of rows can exceed the statement timeout.
 */
export class AddFunctionsThatRemoveReservations implements MigrationInterface {
  readonly name = 'ReservationsByTheirKeys1763683232710';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION take_reservations(ids uuid[], subjects text[])
      RETURNS TABLE (id uuid, subject_id text, payer_scope text, payer_subject_id text, charge_period text, amount_usd numeric, held_usd numeric,
        pricing_catalog_id uuid, admitted_at timestamptz, released_at timestamptz)
      LANGUAGE sql ${BY_INDEX} AS $$
        DELETE FROM reservations r ${BY_KEY} AND r.kind = 'request'
        RETURNING r.id, r.subject_id, r.payer_scope, r.payer_subject_id, r.charge_period, r.amount_usd, r.held_usd, r.pricing_catalog_id, r.admitted_at,
          r.released_at
      $$`);
    await runner.query(`
      CREATE FUNCTION remove_reservations(ids uuid[], subjects text[]) RETURNS void LANGUAGE sql ${BY_INDEX} AS $$
        DELETE FROM reservations r ${BY_KEY}
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION remove_reservations(uuid[], text[])');
    await runner.query('DROP FUNCTION take_reservations(uuid[], text[])');
  }
}
