import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the replicas, their streams with the stored events, and the messages between them. */
export class CreateStreamsOfReplicas1763683316000 implements MigrationInterface {
  readonly name = 'CreateStreamsOfReplicas1763683316000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mcp_replicas (
        id uuid NOT NULL CONSTRAINT mcp_replicas_pkey PRIMARY KEY,
        url text,
        heartbeat_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE mcp_streams (
        id uuid NOT NULL CONSTRAINT mcp_streams_pkey PRIMARY KEY,
        replica_id uuid NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        session_id text,
        channel text,
        request_id text,
        call_id uuid,
        expires_at timestamptz(3)
      )`);
    await runner.query('CREATE UNIQUE INDEX mcp_streams_channel ON mcp_streams (session_id, channel)');
    await runner.query('CREATE INDEX mcp_streams_replica ON mcp_streams (replica_id)');
    await runner.query(`
      CREATE TABLE mcp_stream_events (
        stream_id uuid NOT NULL,
        number integer NOT NULL,
        frame text NOT NULL,
        CONSTRAINT mcp_stream_events_pkey PRIMARY KEY (stream_id, number)
      )`);
    await runner.query(`
      CREATE TABLE mcp_session_messages (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT mcp_session_messages_pkey PRIMARY KEY,
        sender_id uuid NOT NULL,
        session_id text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        slug text,
        message json NOT NULL,
        sent_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['mcp_session_messages', 'mcp_stream_events', 'mcp_streams', 'mcp_replicas'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
