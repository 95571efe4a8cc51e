import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the pinned definitions of tools, and the decisions of administrators about changes. */
export class CreateToolPins1763683324001 implements MigrationInterface {
  readonly name = 'CreateToolPins1763683324001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tool_baselines (
        connector_id text NOT NULL CONSTRAINT tool_baselines_pkey PRIMARY KEY,
        taken_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE tool_definitions (
        id uuid NOT NULL CONSTRAINT tool_definitions_pkey PRIMARY KEY,
        connector_id text NOT NULL,
        tool text NOT NULL,
        hash text NOT NULL,
        definition text,
        definition_bytes integer NOT NULL,
        status text NOT NULL,
        replaced_id uuid,
        superseded integer NOT NULL,
        first_seen_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        decided_at timestamptz(3),
        decided_issuer text,
        decided_subject text,
        CONSTRAINT tool_definitions_key UNIQUE (connector_id, tool, hash),
        CONSTRAINT tool_definitions_status_check CHECK (status IN ('baseline', 'accepted', 'pending', 'rejected')),
        CONSTRAINT tool_definitions_decision_check
          CHECK ((status IN ('accepted', 'rejected')) = (decided_at IS NOT NULL))
      )`);
    await runner.query(`
      CREATE INDEX tool_definitions_changes ON tool_definitions (first_seen_at, id) WHERE status <> 'baseline'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_definitions');
    await runner.query('DROP TABLE tool_baselines');
  }
}
