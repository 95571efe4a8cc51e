import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to each reservation the hash of the request that it was made for, and the version of its
 * key. A repeat with other content is told apart by the hash, and the repeat of a lease is answered
 * with the version that the first answer had. Rows that were made before have neither.
 */
export class KeepContentOfReservations1763683236000 implements MigrationInterface {
  name = 'KeepContentOfReservations1763683236000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reservations ADD COLUMN key_version bigint, ADD COLUMN content_sha256 bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reservations DROP COLUMN content_sha256, DROP COLUMN key_version');
  }
}
