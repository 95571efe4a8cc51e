import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of the count of an issuer. Several rows reduce waits between concurrent transactions. */
const STRIPES = 64;

/**
 * Counts the users of each issuer when they are added and removed. Each page of SCIM contains the
 * total, and counting 50,000 rows takes longer than the page. Each transaction counts in the row of
 * its connection. The sum over the rows of an issuer is always exact.
 */
export class CountUsersByIssuer implements MigrationInterface {
  readonly name = 'CountsOfPeople1763683232310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE people_counts (
        issuer text NOT NULL,
        stripe smallint NOT NULL,
        people bigint NOT NULL,
        CONSTRAINT people_counts_pkey PRIMARY KEY (issuer, stripe)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE FUNCTION count_people(of_issuer text, change bigint) RETURNS void LANGUAGE sql AS $$
        INSERT INTO people_counts AS c (issuer, stripe, people) VALUES (of_issuer, pg_backend_pid() % ${STRIPES}, change)
        ON CONFLICT (issuer, stripe) DO UPDATE SET people = c.people + excluded.people
      $$`);
    await runner.query(`
      CREATE FUNCTION count_changed_people() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        counted record;
      BEGIN
        FOR counted IN SELECT issuer, count(*) AS people FROM changed GROUP BY issuer ORDER BY issuer LOOP
          PERFORM count_people(counted.issuer, CASE TG_OP WHEN 'INSERT' THEN counted.people ELSE -counted.people END);
        END LOOP;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION count_moved_person() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM count_people(OLD.issuer, -1);
        PERFORM count_people(NEW.issuer, 1);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_count_new AFTER INSERT ON users REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_changed_people()`);
    await runner.query(`
      CREATE TRIGGER users_count_gone AFTER DELETE ON users REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_changed_people()`);
    await runner.query(`
      CREATE TRIGGER users_count_moved AFTER UPDATE OF issuer ON users
      FOR EACH ROW WHEN (OLD.issuer IS DISTINCT FROM NEW.issuer) EXECUTE FUNCTION count_moved_person()`);
    // The creation of the triggers blocks other writers until this transaction ends, so that no
    // write is missing in the count.
    await runner.query(
      'INSERT INTO people_counts (issuer, stripe, people) SELECT issuer, 0, count(*) FROM users GROUP BY issuer',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['users_count_new', 'users_count_gone', 'users_count_moved'])
      await runner.query(`DROP TRIGGER ${trigger} ON users`);
    for (const made of ['count_moved_person()', 'count_changed_people()', 'count_people(text, bigint)'])
      await runner.query(`DROP FUNCTION ${made}`);
    await runner.query('DROP TABLE people_counts');
  }
}
