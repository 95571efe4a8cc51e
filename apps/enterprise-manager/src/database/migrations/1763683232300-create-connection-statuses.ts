import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the statuses of connections: whether a user was connected at an upstream when a gateway
 * last saw it, and which tools there were. A status is not a setting of the user, and exists
 * without a connection too. It is deleted with the user and with the connector.
 */
export class CreateConnectionStatuses implements MigrationInterface {
  readonly name = 'StatusesOfConnections1763683232300';

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
