import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the identity providers of connectors, the reference of a connector to its provider, and
 * the secrets of a provider. Foreign keys prevent the deletion of used rows. A change of a
 * provider, and a new value of one of its secrets, is a change of each gateway with a connector
 * that uses it.
 */
export class CreateIdentityProviders implements MigrationInterface {
  readonly name = 'IdentityProvidersOfConnectors1763683232000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connector_identity_providers (
        id uuid NOT NULL CONSTRAINT connector_identity_providers_pkey PRIMARY KEY,
        name text NOT NULL,
        name_key text NOT NULL,
        provider_type text NOT NULL,
        source text NOT NULL,
        config jsonb NOT NULL,
        revision integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT connector_identity_providers_name_unique UNIQUE (name_key)
      )`);
    await runner.query(
      'CREATE INDEX connector_identity_providers_order ON connector_identity_providers (created_at, id)',
    );
    await runner.query(`
      CREATE TABLE identity_provider_secrets (
        provider_id uuid NOT NULL,
        field text NOT NULL,
        secret_id uuid NOT NULL,
        CONSTRAINT identity_provider_secrets_pkey PRIMARY KEY (provider_id, field),
        CONSTRAINT identity_provider_secrets_provider_fkey FOREIGN KEY (provider_id)
          REFERENCES connector_identity_providers (id) ON DELETE CASCADE,
        CONSTRAINT identity_provider_secrets_secret_fkey FOREIGN KEY (secret_id) REFERENCES managed_secrets (id)
      )`);
    await runner.query('CREATE INDEX identity_provider_secrets_of_secret ON identity_provider_secrets (secret_id)');
    await runner.query(`
      ALTER TABLE connectors ADD COLUMN identity_provider_id uuid
        CONSTRAINT connectors_identity_provider_fkey REFERENCES connector_identity_providers (id)`);
    await runner.query('CREATE INDEX connectors_of_identity_provider ON connectors (identity_provider_id)');
    await runner.query(`
      CREATE FUNCTION identity_provider_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_gateway_revision(used.gateway_id) FROM (
          SELECT DISTINCT gateway_id FROM connectors WHERE identity_provider_id = NEW.id ORDER BY gateway_id
        ) AS used;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER connector_identity_providers_count_revision AFTER UPDATE ON connector_identity_providers
      FOR EACH ROW EXECUTE FUNCTION identity_provider_changed()`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION managed_secret_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_gateway_revision(used.gateway_id) FROM (
          SELECT c.gateway_id FROM connector_secrets s JOIN connectors c ON c.id = s.connector_id
          WHERE s.secret_id = NEW.id
          UNION
          SELECT c.gateway_id FROM identity_provider_secrets s
          JOIN connectors c ON c.identity_provider_id = s.provider_id
          WHERE s.secret_id = NEW.id
          ORDER BY gateway_id
        ) AS used;
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION managed_secret_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_gateway_revision(used.gateway_id) FROM (
          SELECT DISTINCT c.gateway_id FROM connector_secrets s JOIN connectors c ON c.id = s.connector_id
          WHERE s.secret_id = NEW.id ORDER BY c.gateway_id
        ) AS used;
        RETURN NULL;
      END $$`);
    await runner.query('ALTER TABLE connectors DROP COLUMN identity_provider_id');
    await runner.query('DROP TABLE identity_provider_secrets');
    await runner.query('DROP TABLE connector_identity_providers');
    await runner.query('DROP FUNCTION identity_provider_changed()');
  }
}
