import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the changes of each connection. The count of a user and a connector stays when the
 * connection is deleted, so that a version is never used again. It is deleted with the user and
 * with the connector, whose ids are never used again either.
 */
export class CreateConnectionVersions implements MigrationInterface {
  readonly name = 'VersionsOfConnections1763683238000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connection_versions (
        user_id uuid NOT NULL CONSTRAINT connection_versions_user REFERENCES users (id) ON DELETE CASCADE,
        connector_id uuid NOT NULL CONSTRAINT connection_versions_connector REFERENCES connectors (id) ON DELETE CASCADE,
        version bigint NOT NULL,
        CONSTRAINT connection_versions_pkey PRIMARY KEY (user_id, connector_id)
      )`);
    await runner.query('CREATE INDEX connection_versions_of_connector ON connection_versions (connector_id)');
    // The deletion of the user or the connector removes the count.
    await runner.query(`
      CREATE FUNCTION count_connection_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      BEGIN
        INSERT INTO connection_versions AS v (user_id, connector_id, version)
        SELECT u.id, k.id, 1 FROM users u, connectors k WHERE u.id = changed.user_id AND k.id = changed.connector_id
        ON CONFLICT (user_id, connector_id) DO UPDATE SET version = v.version + 1;
        RETURN NULL;
      END $$`);
    for (const event of ['INSERT', 'DELETE'])
      await runner.query(`
        CREATE TRIGGER connections_count_${event.toLowerCase()} AFTER ${event} ON connections
        FOR EACH ROW EXECUTE FUNCTION count_connection_change()`);
    await runner.query(`
      CREATE TRIGGER connections_count_update AFTER UPDATE ON connections
      FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION count_connection_change()`);
    // The creation of the triggers blocks other writers until this transaction ends, so that each
    // connection has a version.
    await runner.query(
      'INSERT INTO connection_versions (user_id, connector_id, version) SELECT user_id, connector_id, 1 FROM connections',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of ['insert', 'update', 'delete'])
      await runner.query(`DROP TRIGGER connections_count_${event} ON connections`);
    await runner.query('DROP FUNCTION count_connection_change()');
    await runner.query('DROP TABLE connection_versions');
  }
}
