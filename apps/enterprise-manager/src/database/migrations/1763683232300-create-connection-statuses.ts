import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the statuses of connections: the last observed state of a user at an upstream, and the
 * tools of the upstream. A status is not a setting of the user, so it can exist without a
 * connection. It is deleted with the user and with the connector.
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
