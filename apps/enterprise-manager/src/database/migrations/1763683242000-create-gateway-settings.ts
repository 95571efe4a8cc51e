import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the settings of gateways and of single connectors. The deletion of a connector deletes
 * its settings. A write of a gateway's settings is a change of its snapshot.
 */
export class CreateGatewaySettings implements MigrationInterface {
  readonly name = 'GatewaySettings1763683242000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway_settings (
        gateway_id text NOT NULL CONSTRAINT gateway_settings_pkey PRIMARY KEY,
        revision uuid NOT NULL,
        limits json NOT NULL,
        content json NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE gateway_connector_settings (
        connector_id uuid NOT NULL CONSTRAINT gateway_connector_settings_pkey PRIMARY KEY
          CONSTRAINT gateway_connector_settings_connector REFERENCES connectors (id) ON DELETE CASCADE,
        settings json NOT NULL
      )`);
    // Each write of settings updates this row. The deletion of a connector counts by itself.
    await runner.query(`
      CREATE TRIGGER gateway_settings_count_revision AFTER INSERT OR UPDATE OR DELETE ON gateway_settings
      FOR EACH ROW EXECUTE FUNCTION connector_changed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateway_connector_settings');
    await runner.query('DROP TABLE gateway_settings');
  }
}
