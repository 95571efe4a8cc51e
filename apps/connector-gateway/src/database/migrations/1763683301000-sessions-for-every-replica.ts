import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds MCP sessions. */
export class SessionsForEveryReplica1763683301000 implements MigrationInterface {
  name = 'SessionsForEveryReplica1763683301000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mcp_sessions (
        id text NOT NULL CONSTRAINT mcp_sessions_pkey PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        slug text,
        initialize jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        used_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX mcp_sessions_use ON mcp_sessions (used_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mcp_sessions');
  }
}
