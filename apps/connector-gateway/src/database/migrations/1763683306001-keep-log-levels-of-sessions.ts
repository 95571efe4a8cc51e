import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the log level of each session, so that every replica knows it. */
export class KeepLogLevelsOfSessions1763683306001 implements MigrationInterface {
  name = 'KeepLogLevelsOfSessions1763683306001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_sessions ADD COLUMN log_level text, ADD COLUMN changed_at timestamptz(3)');
    await runner.query('CREATE INDEX mcp_sessions_change ON mcp_sessions (changed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_sessions DROP COLUMN log_level, DROP COLUMN changed_at');
  }
}
