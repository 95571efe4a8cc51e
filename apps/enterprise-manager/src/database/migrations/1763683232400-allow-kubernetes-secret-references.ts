import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['connector_secrets', 'identity_provider_secrets'];

/**
 * Lets connectors and identity providers refer to Kubernetes Secrets, which their gateway reads,
 * instead of managed secrets.
 */
export class AllowKubernetesSecretReferences implements MigrationInterface {
  readonly name = 'SecretsOfClusters1763683232400';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`
        ALTER TABLE ${table}
          ALTER COLUMN secret_id DROP NOT NULL,
          ADD COLUMN kubernetes_secret jsonb,
          ADD CONSTRAINT ${table}_lie_in_one_place CHECK (num_nonnulls(secret_id, kubernetes_secret) = 1)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DELETE FROM ${table} WHERE secret_id IS NULL`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN kubernetes_secret, ALTER COLUMN secret_id SET NOT NULL`);
    }
  }
}
