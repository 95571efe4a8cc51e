import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates connections: the settings of a user for a connector. Without a row, the defaults of the
 * connector apply.
 */
export class CreateConnections implements MigrationInterface {
  readonly name = 'ConnectionsOfPeople1763683212000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connections (
        id uuid NOT NULL CONSTRAINT connections_pkey PRIMARY KEY,
        connector_id uuid NOT NULL CONSTRAINT connections_connector REFERENCES connectors (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT connections_user REFERENCES users (id) ON DELETE CASCADE,
        enabled boolean NOT NULL,
        tools_enabled_by_default boolean NOT NULL,
        tools_exception_list text[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT connections_one_each UNIQUE (user_id, connector_id)
      )`);
    await runner.query('CREATE INDEX connections_of_connector ON connections (connector_id, created_at, id)');
    await runner.query('CREATE INDEX connections_of_user ON connections (user_id, created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connections');
  }
}
