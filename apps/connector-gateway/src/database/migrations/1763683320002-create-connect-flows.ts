import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the pending sign-ins of users at the providers of connectors. */
export class CreateConnectFlows1763683320002 implements MigrationInterface {
  readonly name = 'CreateConnectFlows1763683320002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connect_flows (
        id text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        connector_id text NOT NULL,
        browser_hash bytea NOT NULL,
        key_version integer NOT NULL,
        wrapped_key bytea NOT NULL,
        ciphertext bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        CONSTRAINT connect_flows_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX connect_flows_by_person ON connect_flows (issuer, subject, expires_at)');
    await runner.query('CREATE INDEX connect_flows_by_expiry ON connect_flows (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connect_flows');
  }
}
