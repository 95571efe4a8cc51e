import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the registrations of MCP clients by address, for the limit over all replicas. */
export class CountRegistrationsOfClients1763683342000 implements MigrationInterface {
  readonly name = 'CountRegistrationsOfClients1763683342000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE registration_counts (
      id text CONSTRAINT registration_counts_pkey PRIMARY KEY, window_started_at timestamptz(3) NOT NULL, count integer NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registration_counts');
  }
}
