import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what another replica needs to go on with a call at its upstream: the place in the upstream's
 * stream, and the upstream's id of each question to the client.
 */
export class ResumeCallsAtUpstreams1763683325000 implements MigrationInterface {
  readonly name = 'ResumeCallsAtUpstreams1763683325000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_streams ADD COLUMN upstream json');
    await runner.query('ALTER TABLE mcp_stream_events ADD COLUMN question json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_stream_events DROP COLUMN question');
    await runner.query('ALTER TABLE mcp_streams DROP COLUMN upstream');
  }
}
