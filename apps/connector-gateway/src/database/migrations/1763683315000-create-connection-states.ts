import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the states of connectors that users set in local mode. */
export class CreateConnectionStates1763683315000 implements MigrationInterface {
  readonly name = 'CreateConnectionStates1763683315000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connection_states (
        issuer text NOT NULL,
        subject text NOT NULL,
        connector_id text NOT NULL,
        enabled boolean,
        version integer NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT connection_states_pkey PRIMARY KEY (issuer, subject, connector_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connection_states');
  }
}
