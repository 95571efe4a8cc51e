import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Remembers who was removed from the directory, as (issuer, subject): a token that outlives the
 * entry must not make a new one at what looks like a first sign-in. Whoever is provisioned again
 * has an entry again and is not looked up here.
 */
export class DepartedPeople1763683225300 implements MigrationInterface {
  name = 'DepartedPeople1763683225300';

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
