import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the static tokens with which the directories of issuers provision users and groups. Only
 * the digest of a secret is stored.
 */
export class CreateScimTokens implements MigrationInterface {
  readonly name = 'TokensOfProvisioningClients1763683221000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scim_tokens (
        id uuid CONSTRAINT scim_tokens_pkey PRIMARY KEY,
        issuer_id text NOT NULL,
        name text NOT NULL,
        lookup text NOT NULL CONSTRAINT scim_tokens_lookup_unique UNIQUE,
        secret_hash bytea NOT NULL,
        previous_hash bytea,
        previous_valid_until timestamptz(3),
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_by_issuer text NOT NULL,
        created_by_subject text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT scim_tokens_previous_whole CHECK ((previous_hash IS NULL) = (previous_valid_until IS NULL))
      )`);
    await runner.query('CREATE INDEX scim_tokens_order ON scim_tokens (created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE scim_tokens');
  }
}
