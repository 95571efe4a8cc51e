import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets a client call itself by any JSON text: `jsonb` refuses some (NUL, half surrogate pairs),
 * `json` keeps what was sent.
 */
export class SessionsOfAnyClientName1763683303000 implements MigrationInterface {
  name = 'SessionsOfAnyClientName1763683303000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_sessions ALTER COLUMN initialize TYPE json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_sessions ALTER COLUMN initialize TYPE jsonb');
  }
}
