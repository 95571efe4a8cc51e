import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the (issuer, subject) of removed users. A token that is valid after the removal must not
 * create a new entry. A user that is provisioned again has an entry, so this table is not read.
 */
export class CreateDepartedPeople implements MigrationInterface {
  readonly name = 'DepartedPeople1763683225300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE departed_people (
        issuer text NOT NULL,
        subject text NOT NULL,
        departed_at timestamptz(3) NOT NULL,
        CONSTRAINT departed_people_pkey PRIMARY KEY (issuer, subject)
      )`);
    await runner.query(`
      CREATE FUNCTION remember_departed_people() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO departed_people (issuer, subject, departed_at)
        SELECT DISTINCT issuer, subject, now() FROM departed WHERE subject IS NOT NULL
        ON CONFLICT (issuer, subject) DO UPDATE SET departed_at = excluded.departed_at;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_departed AFTER DELETE ON users REFERENCING OLD TABLE AS departed
      FOR EACH STATEMENT EXECUTE FUNCTION remember_departed_people()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_departed ON users');
    await runner.query('DROP FUNCTION remember_departed_people()');
    await runner.query('DROP TABLE departed_people');
  }
}
