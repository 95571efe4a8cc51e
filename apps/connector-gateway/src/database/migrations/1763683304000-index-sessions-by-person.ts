import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes sessions by user: a new session counts those of its user. */
export class IndexSessionsByPerson1763683304000 implements MigrationInterface {
  name = 'IndexSessionsByPerson1763683304000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX mcp_sessions_person ON mcp_sessions (issuer, subject, used_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX mcp_sessions_person');
  }
}
