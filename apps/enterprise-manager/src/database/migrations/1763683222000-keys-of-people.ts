import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds virtual API keys. A key belongs to the person (issuer, subject) who made it; the directory
 * entry is named beside, and is gone when it is deleted. When a key was last used stands in a table
 * of its own: it is written often and by every replica, and must never wait for a change of the
 * key.
 */
export class KeysOfPeople1763683222000 implements MigrationInterface {
  name = 'KeysOfPeople1763683222000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE virtual_keys (
        id text NOT NULL CONSTRAINT virtual_keys_pkey PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id uuid CONSTRAINT virtual_keys_user REFERENCES users (id) ON DELETE SET NULL,
        name text NOT NULL,
        metadata jsonb NOT NULL,
        secret_hash bytea NOT NULL CONSTRAINT virtual_keys_secret_unique UNIQUE,
        previous_hash bytea CONSTRAINT virtual_keys_previous_unique UNIQUE,
        previous_valid_until timestamptz(3),
        rotation_requests text[] NOT NULL DEFAULT '{}',
        disabled_by_owner boolean NOT NULL DEFAULT FALSE,
        disabled_by_administrator boolean NOT NULL DEFAULT FALSE,
        disabled_by_deactivation boolean NOT NULL DEFAULT FALSE,
        revoked_at timestamptz(3),
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        created_by text NOT NULL,
        version bigint NOT NULL DEFAULT 0
      )`);
    await runner.query('CREATE INDEX virtual_keys_of_person ON virtual_keys (issuer, subject, created_at, id)');
    await runner.query('CREATE INDEX virtual_keys_of_user ON virtual_keys (user_id, created_at, id)');
    await runner.query('CREATE INDEX virtual_keys_version ON virtual_keys (version)');
    await runner.query(`
      CREATE TABLE virtual_key_uses (
        key_id text NOT NULL CONSTRAINT virtual_key_uses_pkey PRIMARY KEY
          CONSTRAINT virtual_key_uses_key REFERENCES virtual_keys (id) ON DELETE CASCADE,
        last_used_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE virtual_key_uses');
    await runner.query('DROP TABLE virtual_keys');
  }
}
