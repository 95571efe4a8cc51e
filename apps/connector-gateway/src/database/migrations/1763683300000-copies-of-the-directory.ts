import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the last good responses of the enterprise manager. */
export class CopiesOfTheDirectory1763683300000 implements MigrationInterface {
  name = 'CopiesOfTheDirectory1763683300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE directory_copies (
        key text NOT NULL CONSTRAINT directory_copies_pkey PRIMARY KEY,
        etag text NOT NULL,
        body jsonb NOT NULL,
        confirmed_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX directory_copies_age ON directory_copies (confirmed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE directory_copies');
  }
}
