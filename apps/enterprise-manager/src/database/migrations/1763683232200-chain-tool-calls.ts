import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreateToolCallsByMonth } from './1763683214000-create-tool-calls-by-month.ts';

/**
 * Partitions the records of tool calls by the month (UTC) of their arrival, so that a month
 * contains whole chains, and adds their place in a chain. Older records stay in `tool_calls_before`
 * until they are linked.
 *
 * - `tool_call_claims`: the id and the content hash of each record of all months, so that a record
 *   is stored once.
 * - `tool_call_heads`: the end of the newest chain of each gateway. A writer of records locks its
 *   row until the commit.
 * - `tool_call_checkpoints`: the signed statements about chains.
 *
 * The service may add and read records and checkpoints only, and no role has rights on a single
 * month.
 */
export class ChainToolCalls implements MigrationInterface {
  readonly name = 'ChainsOfToolCalls1763683232200';

  async up(runner: QueryRunner): Promise<void> {
    await replaceRecords(runner);
    await createChains(runner);
    await restrictRights(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['tool_call_checkpoints', 'tool_call_heads', 'tool_call_claims', 'tool_calls'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP TABLE IF EXISTS tool_calls_before');
    await new CreateToolCallsByMonth().up(runner);
  }
}

/** Renames the table of existing records and creates the table of records by month of arrival. */
async function replaceRecords(runner: QueryRunner): Promise<void> {
  await runner.query('CREATE TABLE tool_calls_before AS SELECT * FROM tool_calls');
  await new CreateToolCallsByMonth().down(runner);
  await runner.query(`
      CREATE TABLE tool_calls (
        gateway_id text COLLATE "C" NOT NULL,
        arrived_at timestamptz(3) NOT NULL,
        sequence bigint NOT NULL,
        call_id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        environment text COLLATE "C" NOT NULL,
        connector_id uuid,
        connector_name text,
        tool_name text COLLATE "C" NOT NULL,
        user_id uuid,
        user_email text,
        groups json NOT NULL,
        decision text NOT NULL,
        outcome text NOT NULL,
        category text NOT NULL,
        billable boolean NOT NULL,
        billable_reason text,
        definition_version text,
        duration_ms integer,
        arguments_sha256 text,
        prev_hash bytea NOT NULL,
        record_hash bytea NOT NULL,
        CONSTRAINT tool_calls_pkey PRIMARY KEY (gateway_id, arrived_at, sequence)
      ) PARTITION BY RANGE (arrived_at)`);
  await runner.query('CREATE INDEX tool_calls_by_time ON tool_calls (gateway_id, occurred_at)');
  await runner.query('CREATE INDEX tool_calls_of_connector ON tool_calls (connector_id, occurred_at, call_id)');
  await runner.query('CREATE INDEX tool_calls_of_user ON tool_calls (user_id, connector_id, occurred_at, call_id)');
  await runner.query('CREATE TABLE tool_calls_other PARTITION OF tool_calls DEFAULT');
}

/** Creates the claims, the ends of chains and the checkpoints. */
async function createChains(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE tool_call_claims (
        call_id uuid NOT NULL,
        arrived_on date NOT NULL,
        content_sha256 bytea NOT NULL,
        CONSTRAINT tool_call_claims_pkey PRIMARY KEY (call_id)
      )`);
  await runner.query('CREATE INDEX tool_call_claims_by_day ON tool_call_claims (arrived_on)');
  await runner.query(`
      CREATE TABLE tool_call_heads (
        gateway_id text COLLATE "C" NOT NULL,
        arrived_at timestamptz(3) NOT NULL,
        sequence bigint NOT NULL,
        chain_hash bytea NOT NULL,
        signed_at timestamptz(3),
        signed_sequence bigint NOT NULL,
        signed_by text,
        CONSTRAINT tool_call_heads_pkey PRIMARY KEY (gateway_id)
      ) WITH (fillfactor = 10)`);
  await runner.query(`
      CREATE TABLE tool_call_checkpoints (
        gateway_id text COLLATE "C" NOT NULL,
        arrived_at timestamptz(3) NOT NULL,
        sequence bigint NOT NULL,
        chain_hash bytea NOT NULL,
        key_id text NOT NULL,
        signed_at timestamptz(3) NOT NULL,
        signature text NOT NULL,
        CONSTRAINT tool_call_checkpoints_pkey PRIMARY KEY (gateway_id, arrived_at, sequence)
      )`);
  await runner.query('CREATE INDEX tool_call_checkpoints_of_key ON tool_call_checkpoints (key_id, signed_at)');
}

/** Restricts the rights of the service. */
async function restrictRights(runner: QueryRunner): Promise<void> {
  for (const table of ['tool_calls', 'tool_call_checkpoints'])
    await runner.query(`SELECT keep_rights('${table}', '{SELECT,INSERT}')`);
  await runner.query(`SELECT keep_rights('tool_calls_other', '{}')`);
  await runner.query(`SELECT keep_rights('tool_call_claims', '{SELECT,INSERT}')`);
  await runner.query(`SELECT keep_rights('tool_call_heads', '{SELECT,INSERT,UPDATE}')`);
  await runner.query(`SELECT keep_rights('tool_calls_before', '{}')`);
}
