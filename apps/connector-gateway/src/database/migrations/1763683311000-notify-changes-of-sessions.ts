import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifies all replicas of the end of a session and of changes by its client. */
export class NotifyChangesOfSessions1763683311000 implements MigrationInterface {
  readonly name = 'NotifyChangesOfSessions1763683311000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION notify_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('mcp_session_changed', OLD.id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER mcp_sessions_changed AFTER DELETE OR UPDATE OF log_level, subscriptions ON mcp_sessions
      FOR EACH ROW EXECUTE FUNCTION notify_session_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER mcp_sessions_changed ON mcp_sessions');
    await runner.query('DROP FUNCTION notify_session_change()');
  }
}
