import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to each reservation the hash of its request, and the version of its key. The hash detects a
 * repeat with other content. The repeat of a lease is answered with the version of the first
 * answer. Older rows have neither.
 */
export class AddContentHashToReservations implements MigrationInterface {
  readonly name = 'KeepContentOfReservations1763683236000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reservations ADD COLUMN key_version bigint, ADD COLUMN content_sha256 bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reservations DROP COLUMN content_sha256, DROP COLUMN key_version');
  }
}
