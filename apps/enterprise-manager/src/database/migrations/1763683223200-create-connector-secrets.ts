import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores which connector uses which secret. The foreign key prevents the deletion of a used secret.
 * A new version of a secret is a change of each gateway that uses it.
 */
export class CreateConnectorSecrets implements MigrationInterface {
  readonly name = 'SecretsOfConnectors1763683223200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connector_secrets (
        connector_id uuid NOT NULL,
        field text NOT NULL,
        secret_id uuid NOT NULL,
        CONSTRAINT connector_secrets_pkey PRIMARY KEY (connector_id, field),
        CONSTRAINT connector_secrets_connector_fkey FOREIGN KEY (connector_id) REFERENCES connectors (id) ON DELETE CASCADE,
        CONSTRAINT connector_secrets_secret_fkey FOREIGN KEY (secret_id) REFERENCES managed_secrets (id)
      )`);
    await runner.query('CREATE INDEX connector_secrets_of_secret ON connector_secrets (secret_id)');
    await runner.query(`
      CREATE FUNCTION managed_secret_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_gateway_revision(used.gateway_id) FROM (
          SELECT DISTINCT c.gateway_id FROM connector_secrets s JOIN connectors c ON c.id = s.connector_id
          WHERE s.secret_id = NEW.id ORDER BY c.gateway_id
        ) AS used;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER managed_secrets_count_revision AFTER UPDATE OF version ON managed_secrets
      FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION managed_secret_changed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER managed_secrets_count_revision ON managed_secrets');
    await runner.query('DROP FUNCTION managed_secret_changed()');
    await runner.query('DROP TABLE connector_secrets');
  }
}
