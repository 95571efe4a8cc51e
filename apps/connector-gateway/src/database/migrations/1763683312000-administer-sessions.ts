import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to sessions what administrators see of them: an id that is not the secret of the client, the
 * user and the client. A session that has ended stays for a while, so that every replica sees it.
 */
export class AdministerSessions1763683312000 implements MigrationInterface {
  readonly name = 'AdministerSessions1763683312000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mcp_sessions
        ADD COLUMN public_id uuid,
        ADD COLUMN user_id text,
        ADD COLUMN client_name text,
        ADD COLUMN client_version text,
        ADD COLUMN revision text,
        ADD COLUMN ended_at timestamptz(3)`);
    await runner.query('UPDATE mcp_sessions SET public_id = gen_random_uuid()');
    await runner.query('CREATE UNIQUE INDEX mcp_sessions_public_id ON mcp_sessions (public_id)');
    await runner.query('CREATE INDEX mcp_sessions_creation ON mcp_sessions (created_at, public_id)');
    await this.notify(runner, 'log_level, subscriptions, ended_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.notify(runner, 'log_level, subscriptions');
    await runner.query(`
      ALTER TABLE mcp_sessions
        DROP COLUMN public_id, DROP COLUMN user_id, DROP COLUMN client_name,
        DROP COLUMN client_version, DROP COLUMN revision, DROP COLUMN ended_at`);
  }

  /** Notifies the replicas of changes of these columns. */
  private async notify(runner: QueryRunner, columns: string): Promise<void> {
    await runner.query('DROP TRIGGER mcp_sessions_changed ON mcp_sessions');
    await runner.query(`
      CREATE TRIGGER mcp_sessions_changed AFTER DELETE OR UPDATE OF ${columns} ON mcp_sessions
      FOR EACH ROW EXECUTE FUNCTION notify_session_change()`);
  }
}
