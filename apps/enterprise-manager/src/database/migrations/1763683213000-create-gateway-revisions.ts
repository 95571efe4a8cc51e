import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the changes of each gateway snapshot and notifies all replicas. Triggers count, so that
 * all writes count, also cascades. The epoch distinguishes the revisions of a new database from
 * those of an older one.
 */
export class CreateGatewayRevisions implements MigrationInterface {
  readonly name = 'RevisionsOfGateways1763683213000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway_revisions (
        gateway_id text NOT NULL CONSTRAINT gateway_revisions_pkey PRIMARY KEY,
        epoch uuid NOT NULL,
        revision bigint NOT NULL
      )`);
    await runner.query(`
      CREATE FUNCTION count_gateway_revision(gateway text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO gateway_revisions AS held (gateway_id, epoch, revision) VALUES (gateway, gen_random_uuid(), 1)
        ON CONFLICT (gateway_id) DO UPDATE SET revision = held.revision + 1;
        PERFORM pg_notify('gateway_changed', gateway);
      END $$`);
    await runner.query(`
      CREATE FUNCTION connector_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_gateway_revision(COALESCE(NEW.gateway_id, OLD.gateway_id));
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER connectors_count_revision AFTER INSERT OR UPDATE OR DELETE ON connectors
      FOR EACH ROW EXECUTE FUNCTION connector_changed()`);
    await runner.query(`
      CREATE FUNCTION policy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_gateway_revision(gateway_id) FROM connectors WHERE id = NEW.connector_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER connector_policies_count_revision AFTER INSERT OR UPDATE ON connector_policies
      FOR EACH ROW EXECUTE FUNCTION policy_changed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER connector_policies_count_revision ON connector_policies');
    await runner.query('DROP TRIGGER connectors_count_revision ON connectors');
    await runner.query('DROP FUNCTION policy_changed()');
    await runner.query('DROP FUNCTION connector_changed()');
    await runner.query('DROP FUNCTION count_gateway_revision(text)');
    await runner.query('DROP TABLE gateway_revisions');
  }
}
