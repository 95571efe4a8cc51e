import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates virtual API keys. A key belongs to the user (issuer, subject) that created it. The
 * reference to the directory entry becomes null when the entry is deleted. The last use of a key is
 * in a separate table: all replicas write it often, and these writes must not wait for changes of
 * the key.
 */
export class CreateVirtualKeys implements MigrationInterface {
  readonly name = 'KeysOfPeople1763683222000';

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
