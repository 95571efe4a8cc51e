import type { MigrationInterface, QueryRunner } from 'typeorm';

const SEALED = 'key_version integer NOT NULL, wrapped_key bytea NOT NULL, ciphertext bytea NOT NULL';

/** Stores clients, grants, tokens and signing keys of the authorization server for MCP clients. */
export class CreateAuthorizationServer1763683323000 implements MigrationInterface {
  readonly name = 'CreateAuthorizationServer1763683323000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE oidc_payloads (
      id text CONSTRAINT oidc_payloads_pkey PRIMARY KEY, model text NOT NULL, ${SEALED}, grant_digest text,
      uid_digest text, created_at timestamptz(3) NOT NULL, consumed_at timestamptz(3), expires_at timestamptz(3) NOT NULL)`);
    await runner.query(
      'CREATE INDEX oidc_payloads_grant ON oidc_payloads (grant_digest) WHERE grant_digest IS NOT NULL',
    );
    await runner.query('CREATE INDEX oidc_payloads_uid ON oidc_payloads (uid_digest) WHERE uid_digest IS NOT NULL');
    await runner.query('CREATE INDEX oidc_payloads_expiry ON oidc_payloads (expires_at)');
    await runner.query('CREATE INDEX oidc_payloads_creation ON oidc_payloads (model, created_at)');
    await runner.query(
      `CREATE TABLE as_signing_keys (id text CONSTRAINT as_signing_keys_pkey PRIMARY KEY, ${SEALED}, activates_at timestamptz(3) NOT NULL)`,
    );
    await runner.query('CREATE UNIQUE INDEX as_signing_keys_activation ON as_signing_keys (activates_at)');
    await runner.query(`CREATE TABLE corporate_grants (
      id text CONSTRAINT corporate_grants_pkey PRIMARY KEY, issuer text NOT NULL, subject text NOT NULL, ${SEALED},
      ends_at timestamptz(3), expires_at timestamptz(3) NOT NULL, refreshed_at timestamptz(3) NOT NULL)`);
    await runner.query('CREATE INDEX corporate_grants_expiry ON corporate_grants (expires_at)');
    await runner.query('CREATE INDEX corporate_grants_person ON corporate_grants (issuer, subject)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['corporate_grants', 'as_signing_keys', 'oidc_payloads'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
