import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what gateways last saw of a person at an upstream: whether the person is connected there,
 * and which tools there were. It is no part of what the person has set, comes without a connection
 * too, and goes with the person and the connector.
 */
export class StatusesOfConnections1763683232300 implements MigrationInterface {
  name = 'StatusesOfConnections1763683232300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connection_statuses (
        user_id uuid NOT NULL CONSTRAINT connection_statuses_user REFERENCES users (id) ON DELETE CASCADE,
        connector_id uuid NOT NULL CONSTRAINT connection_statuses_connector REFERENCES connectors (id) ON DELETE CASCADE,
        connection_status text NOT NULL,
        observed_at timestamptz(3) NOT NULL,
        tools text[],
        tools_observed_at timestamptz(3),
        CONSTRAINT connection_statuses_pkey PRIMARY KEY (user_id, connector_id)
      )`);
    await runner.query(
      'CREATE INDEX connection_statuses_tools ON connection_statuses (connector_id, tools_observed_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connection_statuses');
  }
}
