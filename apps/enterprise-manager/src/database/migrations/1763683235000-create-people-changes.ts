import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the users whose activity has changed, for the other services: one row for each user that
 * was ever inactive or removed.
 *
 * The rows use the counter of keys (CreateKeyRevision): with a separate counter two transactions
 * could lock the counters in different orders. The triggers are deferred and compare the state at
 * the commit with the stored one: an entry that is removed and created again in one transaction is
 * no change.
 */
export class CreatePeopleChanges implements MigrationInterface {
  readonly name = 'PeopleChanges1763683235000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner);
    await createFunctions(runner);
    await createTriggers(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of ['delete', 'update', 'insert']) await runner.query(`DROP TRIGGER users_note_${event} ON users`);
    await runner.query('DROP FUNCTION note_people_activity()');
    await runner.query('DROP FUNCTION note_person_activity(text, text)');
    await runner.query('DROP TABLE people_changes');
  }
}

/** Creates the table with the users that are inactive or removed now. */
async function createTable(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE people_changes (
        issuer text NOT NULL,
        subject text NOT NULL,
        active boolean NOT NULL,
        version bigint NOT NULL,
        CONSTRAINT people_changes_pkey PRIMARY KEY (issuer, subject)
      )`);
  await runner.query('CREATE INDEX people_changes_version ON people_changes (version)');
  await runner.query(`
      WITH inactive AS (
        SELECT issuer, subject FROM users WHERE NOT active AND subject IS NOT NULL
        UNION SELECT issuer, subject FROM departed_people AS d
        WHERE NOT EXISTS (SELECT FROM users AS u WHERE u.issuer = d.issuer AND u.subject = d.subject)
      ), counter AS (
        UPDATE key_revision SET revision = revision + (SELECT count(*) FROM inactive) RETURNING revision
      )
      INSERT INTO people_changes (issuer, subject, active, version)
      SELECT issuer, subject, FALSE, (SELECT revision FROM counter) + 1 - row_number() OVER (ORDER BY issuer, subject) FROM inactive`);
}

/** Creates the functions of the triggers. */
async function createFunctions(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE FUNCTION note_person_activity(of_issuer text, of_subject text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        is_active boolean;
        was_active boolean;
        counted bigint;
      BEGIN
        SELECT active INTO is_active FROM users WHERE issuer = of_issuer AND subject = of_subject;
        IF is_active IS NULL THEN
          is_active := NOT EXISTS (SELECT FROM departed_people WHERE issuer = of_issuer AND subject = of_subject);
        END IF;
        SELECT active INTO was_active FROM people_changes WHERE issuer = of_issuer AND subject = of_subject;
        IF is_active = COALESCE(was_active, TRUE) THEN
          RETURN;
        END IF;
        UPDATE key_revision SET revision = revision + 1 RETURNING revision INTO counted;
        INSERT INTO people_changes AS kept (issuer, subject, active, version) VALUES (of_issuer, of_subject, is_active, counted)
        ON CONFLICT (issuer, subject) DO UPDATE SET active = excluded.active, version = excluded.version;
        PERFORM pg_notify('keys_changed', '');
      END $$`);
  await runner.query(`
      CREATE FUNCTION note_people_activity() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.subject IS NOT NULL THEN
          PERFORM note_person_activity(OLD.issuer, OLD.subject);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.subject IS NOT NULL THEN
          PERFORM note_person_activity(NEW.issuer, NEW.subject);
        END IF;
        RETURN NULL;
      END $$`);
}

/** Creates the deferred triggers. */
async function createTriggers(runner: QueryRunner): Promise<void> {
  const changed = `OLD.active IS DISTINCT FROM NEW.active OR (OLD.issuer, OLD.subject) IS DISTINCT FROM (NEW.issuer, NEW.subject)`;
  for (const [event, condition] of [
    ['INSERT', 'NEW.subject IS NOT NULL'],
    ['UPDATE', changed],
    ['DELETE', 'OLD.subject IS NOT NULL'],
  ] as const) {
    await runner.query(`
        CREATE CONSTRAINT TRIGGER users_note_${event.toLowerCase()} AFTER ${event} ON users
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION note_people_activity()`);
  }
}
