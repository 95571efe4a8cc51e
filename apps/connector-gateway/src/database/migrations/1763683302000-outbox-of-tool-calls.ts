import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the outbox in which every tool call is on record before its response leaves. */
export class OutboxOfToolCalls1763683302000 implements MigrationInterface {
  name = 'OutboxOfToolCalls1763683302000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tool_calls (
        call_id uuid NOT NULL CONSTRAINT tool_calls_pkey PRIMARY KEY,
        occurred_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id text,
        user_email text,
        group_ids text[] NOT NULL,
        connector_id text,
        connector_name text,
        tool_name text NOT NULL,
        arguments_sha256 text NOT NULL,
        definition_version text,
        decision text NOT NULL,
        outcome text NOT NULL,
        category text NOT NULL,
        billable boolean NOT NULL,
        billable_reason text NOT NULL,
        duration_ms integer,
        state text NOT NULL,
        rejection text,
        settled_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX tool_calls_ready ON tool_calls (call_id) WHERE state = 'ready'`);
    await runner.query(`CREATE INDEX tool_calls_open ON tool_calls (occurred_at) WHERE state = 'open'`);
    await runner.query(
      `CREATE INDEX tool_calls_settled ON tool_calls (settled_at) WHERE state IN ('delivered', 'rejected')`,
    );
    await runner.query(
      `CREATE INDEX tool_calls_failed ON tool_calls (issuer, subject, arguments_sha256, finished_at) WHERE outcome = 'error'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_calls');
  }
}
