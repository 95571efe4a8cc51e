import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds a variant of `take_reservations` that also compares and returns the gateway. The usage of
 * one gateway cannot settle the admission of another gateway. The variant without gateways stays
 * for replicas of the previous release.
 */
export class TakeReservationsByGateway implements MigrationInterface {
  readonly name = 'TakeReservationsOfGateways1763683239000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION take_reservations(ids uuid[], subjects text[], gateways text[])
      RETURNS TABLE (id uuid, subject_id text, gateway_id text, payer_scope text, payer_subject_id text, charge_period text, amount_usd numeric,
        held_usd numeric, pricing_catalog_id uuid, admitted_at timestamptz, released_at timestamptz)
      LANGUAGE sql SET enable_seqscan = off AS $$
        DELETE FROM reservations r
        WHERE r.id = ANY (ids) AND ((r.id, r.subject_id, r.gateway_id) IN (SELECT * FROM unnest(ids, subjects, gateways))) IS TRUE AND r.kind = 'request'
        RETURNING r.id, r.subject_id, r.gateway_id, r.payer_scope, r.payer_subject_id, r.charge_period, r.amount_usd, r.held_usd, r.pricing_catalog_id,
          r.admitted_at, r.released_at
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION take_reservations(uuid[], text[], text[])');
  }
}
