import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the last configuration envelope of each user and type of client. All replicas answer with
 * the same envelope, and a later envelope has a later time of issue, independent of the clocks of
 * the replicas.
 */
export class CreateConfigIssues implements MigrationInterface {
  readonly name = 'IssuesOfConfiguration1763683224200';

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
