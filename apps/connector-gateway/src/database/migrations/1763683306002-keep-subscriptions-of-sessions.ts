import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the subscriptions of each session, so that every replica can serve its stream. */
export class KeepSubscriptionsOfSessions1763683306002 implements MigrationInterface {
  name = 'KeepSubscriptionsOfSessions1763683306002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mcp_sessions ADD COLUMN subscriptions text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_sessions DROP COLUMN subscriptions');
  }
}
