import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates connector policies. Grants are rows, so the deletion of a group deletes its grants. A
 * trigger counts each change of grants as a new version of the policy.
 */
export class CreateConnectorPolicies implements MigrationInterface {
  readonly name = 'PoliciesOfConnectors1763683211000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connector_policies (
        connector_id uuid NOT NULL CONSTRAINT connector_policies_pkey PRIMARY KEY
          CONSTRAINT connector_policies_connector REFERENCES connectors (id) ON DELETE CASCADE,
        mode text NOT NULL,
        cedar_document text,
        version bigint NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE connector_policy_grants (
        connector_id uuid NOT NULL
          CONSTRAINT connector_policy_grants_policy REFERENCES connector_policies (connector_id) ON DELETE CASCADE,
        group_id uuid NOT NULL CONSTRAINT connector_policy_grants_group REFERENCES groups (id) ON DELETE CASCADE,
        CONSTRAINT connector_policy_grants_pkey PRIMARY KEY (connector_id, group_id)
      )`);
    await runner.query('CREATE INDEX connector_policy_grants_of_group ON connector_policy_grants (group_id)');
    await runner.query(`
      CREATE FUNCTION count_policy_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE connector_policies SET version = version + 1, updated_at = now()
        WHERE connector_id = COALESCE(NEW.connector_id, OLD.connector_id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER connector_policy_grants_count_version AFTER INSERT OR DELETE ON connector_policy_grants
      FOR EACH ROW EXECUTE FUNCTION count_policy_version()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connector_policy_grants');
    await runner.query('DROP TABLE connector_policies');
    await runner.query('DROP FUNCTION count_policy_version()');
  }
}
