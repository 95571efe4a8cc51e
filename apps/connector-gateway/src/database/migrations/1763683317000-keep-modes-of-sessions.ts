import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['mcp_sessions', 'mcp_session_messages'];

/** Keeps the mode of the endpoint with which a session began. */
export class KeepModesOfSessions1763683317000 implements MigrationInterface {
  readonly name = 'KeepModesOfSessions1763683317000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD COLUMN mode text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN mode`);
  }
}
