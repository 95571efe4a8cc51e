import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the result of the last check of an identity provider. Existing providers were checked when
 * they were saved, so their check succeeded then.
 */
export class CreateIdentityProviderDiscoveries implements MigrationInterface {
  readonly name = 'DiscoveriesOfIdentityProviders1763683237000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity_provider_discoveries (
        provider_id uuid NOT NULL,
        status text NOT NULL,
        checked_at timestamptz(3) NOT NULL,
        error text,
        CONSTRAINT identity_provider_discoveries_pkey PRIMARY KEY (provider_id),
        CONSTRAINT identity_provider_discoveries_provider_fkey FOREIGN KEY (provider_id)
          REFERENCES connector_identity_providers (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      INSERT INTO identity_provider_discoveries (provider_id, status, checked_at)
      SELECT id, CASE WHEN provider_type = 'oidc' OR config #> '{oauth2_config,dcr,discovery_url}' IS NOT NULL
        THEN 'ok' ELSE 'none' END, updated_at
      FROM connector_identity_providers`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identity_provider_discoveries');
  }
}
