import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores a fingerprint of each key-encryption key, so that a replica detects another key with a
 * version that is in use.
 */
export class CreateKeyEncryptionKeys1763683321000 implements MigrationInterface {
  readonly name = 'CreateKeyEncryptionKeys1763683321000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_encryption_keys (
        version integer NOT NULL CONSTRAINT key_encryption_keys_pkey PRIMARY KEY,
        fingerprint bytea NOT NULL,
        first_seen_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_encryption_keys');
  }
}
