import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rows of pairs of keys, by the index whatever Postgres thinks of the table: an index condition
 * for the ids, and a hashed set for the pairs, since an id is nearly always of one person. `IS
 * TRUE` leaves it a condition; as a join it could be turned around, and all keys be read for each
 * row.
 */
const BY_KEY = `WHERE r.id = ANY (ids) AND ((r.id, r.subject_id) IN (SELECT * FROM unnest(ids, subjects))) IS TRUE`;
const BY_INDEX = 'SET enable_seqscan = off';

/**
 * Adds how reservations are taken away. They come and go within minutes, so Postgres often looks at
 * the table while it is nearly empty; what it then plans for thousands of keys among thousands of
 * rows can take longer than a statement may.
 */
export class ReservationsByTheirKeys1763683232710 implements MigrationInterface {
  name = 'ReservationsByTheirKeys1763683232710';

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
