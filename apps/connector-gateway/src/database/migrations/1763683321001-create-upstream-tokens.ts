import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the sealed tokens of users for connectors with an upstream sign-in of each user. */
export class CreateUpstreamTokens1763683321001 implements MigrationInterface {
  readonly name = 'CreateUpstreamTokens1763683321001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE upstream_tokens (
        id uuid NOT NULL CONSTRAINT upstream_tokens_pkey PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        connector_id text NOT NULL,
        provider_issuer text NOT NULL,
        client_id text NOT NULL,
        upstream_origin text NOT NULL,
        key_version integer NOT NULL,
        wrapped_key bytea NOT NULL,
        ciphertext bytea NOT NULL,
        scope text,
        access_expires_at timestamptz(3),
        status text NOT NULL,
        reason text,
        version integer NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT upstream_tokens_owner_key UNIQUE (issuer, subject, connector_id),
        CONSTRAINT upstream_tokens_status_check CHECK (status IN ('connected', 'needs_auth')),
        CONSTRAINT upstream_tokens_reason_check CHECK ((status = 'needs_auth') = (reason IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX upstream_tokens_connector_idx ON upstream_tokens (connector_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE upstream_tokens');
  }
}
