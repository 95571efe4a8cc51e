import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tasks of upstreams, so that every replica serves them to their owners. */
export class CreateTasks1763683310000 implements MigrationInterface {
  readonly name = 'CreateTasks1763683310000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mcp_tasks (
        id text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        form text NOT NULL,
        connector_id text NOT NULL,
        identity text NOT NULL,
        owner_key text NOT NULL,
        tool_name text NOT NULL,
        upstream_id text NOT NULL,
        state json NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT mcp_tasks_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX mcp_tasks_person ON mcp_tasks (issuer, subject, created_at, id)');
    await runner.query('CREATE INDEX mcp_tasks_expiry ON mcp_tasks (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mcp_tasks');
  }
}
