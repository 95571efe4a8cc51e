import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes the stored messages of a user countable without reading them. */
export class CountMessagesOfUsers1763683331000 implements MigrationInterface {
  readonly name = 'CountMessagesOfUsers1763683331000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_session_messages ADD COLUMN message_bytes integer NOT NULL DEFAULT 0');
    await runner.query('CREATE INDEX mcp_session_messages_user ON mcp_session_messages (issuer, subject)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX mcp_session_messages_user');
    await runner.query('ALTER TABLE mcp_session_messages DROP COLUMN message_bytes');
  }
}
