import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Remembers the last envelope that each person's clients were given: all replicas answer with the
 * same one, and a later one is always issued later, whatever the clocks of the replicas say.
 */
export class IssuesOfConfiguration1763683224200 implements MigrationInterface {
  name = 'IssuesOfConfiguration1763683224200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE config_issues (
        issuer text NOT NULL,
        subject text NOT NULL,
        client_type text NOT NULL,
        basis text NOT NULL,
        kid text NOT NULL,
        issued_at timestamptz(3) NOT NULL,
        not_after timestamptz(3) NOT NULL,
        signature text NOT NULL,
        CONSTRAINT config_issues_pkey PRIMARY KEY (issuer, subject, client_type)
      )`);
    await runner.query('CREATE INDEX config_issues_end ON config_issues (not_after)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE config_issues');
  }
}
