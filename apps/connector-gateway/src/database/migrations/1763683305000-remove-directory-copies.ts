import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Removes the stored responses of the enterprise manager. Rights come only from feeds with a lease
 * (docs/decisions/0181).
 */
export class RemoveDirectoryCopies1763683305000 implements MigrationInterface {
  name = 'RemoveDirectoryCopies1763683305000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE directory_copies');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE directory_copies (
        key text NOT NULL CONSTRAINT directory_copies_pkey PRIMARY KEY,
        etag text NOT NULL,
        body jsonb NOT NULL,
        confirmed_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX directory_copies_age ON directory_copies (confirmed_at)');
  }
}
