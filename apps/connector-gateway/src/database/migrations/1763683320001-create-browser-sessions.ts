import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the sessions of browsers in which users are signed in. */
export class CreateBrowserSessions1763683320001 implements MigrationInterface {
  readonly name = 'CreateBrowserSessions1763683320001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE browser_sessions (
        id_hash bytea NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        display_name text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT browser_sessions_pkey PRIMARY KEY (id_hash)
      )`);
    await runner.query('CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE browser_sessions');
  }
}
