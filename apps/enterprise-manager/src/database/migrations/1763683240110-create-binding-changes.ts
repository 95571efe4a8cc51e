import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the binding keys that have become inactive or active, for entries without a subject: other
 * services know such a user by the binding claim only. A key is inactive if its entry has no
 * subject and is not active, or if an entry with it was removed before its first sign-in. An entry
 * with a subject is known by that subject, so its key is active. The counter and the deferred
 * triggers are those of people_changes.
 */
export class CreateBindingChanges implements MigrationInterface {
  readonly name = 'ChangesOfBindings1763683240110';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner);
    await createFunctions(runner);
    await createTriggers(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of ['delete', 'update', 'insert'])
      await runner.query(`DROP TRIGGER users_note_binding_${event} ON users`);
    await runner.query('DROP FUNCTION note_bindings_activity()');
    await runner.query('DROP FUNCTION note_binding_activity(text, text)');
    await runner.query('DROP TABLE binding_changes');
  }
}

/** Creates the table with the binding keys that are inactive now. */
async function createTable(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE TABLE binding_changes (
        issuer text NOT NULL,
        binding_key text NOT NULL,
        active boolean NOT NULL,
        version bigint NOT NULL,
        CONSTRAINT binding_changes_pkey PRIMARY KEY (issuer, binding_key)
      )`);
  await runner.query('CREATE INDEX binding_changes_version ON binding_changes (version)');
  await runner.query(`
      WITH inactive AS (
        SELECT issuer, binding_key FROM users WHERE NOT active AND subject IS NULL AND binding_key IS NOT NULL
        UNION SELECT issuer, binding_key FROM departed_bindings AS d
        WHERE NOT EXISTS (SELECT FROM users AS u WHERE u.issuer = d.issuer AND u.binding_key = d.binding_key)
      ), counter AS (
        UPDATE key_revision SET revision = revision + (SELECT count(*) FROM inactive) RETURNING revision
      )
      INSERT INTO binding_changes (issuer, binding_key, active, version)
      SELECT issuer, binding_key, FALSE, (SELECT revision FROM counter) + 1 - row_number() OVER (ORDER BY issuer, binding_key) FROM inactive`);
}

/** Creates the functions of the triggers. */
async function createFunctions(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE FUNCTION note_binding_activity(of_issuer text, of_key text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        is_active boolean;
        was_active boolean;
        counted bigint;
      BEGIN
        SELECT active OR subject IS NOT NULL INTO is_active FROM users WHERE issuer = of_issuer AND binding_key = of_key;
        IF is_active IS NULL THEN
          is_active := NOT EXISTS (SELECT FROM departed_bindings WHERE issuer = of_issuer AND binding_key = of_key);
        END IF;
        SELECT active INTO was_active FROM binding_changes WHERE issuer = of_issuer AND binding_key = of_key;
        IF is_active = COALESCE(was_active, TRUE) THEN
          RETURN;
        END IF;
        UPDATE key_revision SET revision = revision + 1 RETURNING revision INTO counted;
        INSERT INTO binding_changes AS kept (issuer, binding_key, active, version) VALUES (of_issuer, of_key, is_active, counted)
        ON CONFLICT (issuer, binding_key) DO UPDATE SET active = excluded.active, version = excluded.version;
        PERFORM pg_notify('keys_changed', '');
      END $$`);
  await runner.query(`
      CREATE FUNCTION note_bindings_activity() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.binding_key IS NOT NULL THEN
          PERFORM note_binding_activity(OLD.issuer, OLD.binding_key);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.binding_key IS NOT NULL THEN
          PERFORM note_binding_activity(NEW.issuer, NEW.binding_key);
        END IF;
        RETURN NULL;
      END $$`);
}

/** Creates the deferred triggers. */
async function createTriggers(runner: QueryRunner): Promise<void> {
  // A key that is the subject itself belongs to an entry that has its subject.
  const bound = (row: string) =>
    `${row}.binding_key IS NOT NULL AND ${row}.subject IS DISTINCT FROM ${row}.binding_key`;
  const changed = `(OLD.active, OLD.issuer, OLD.subject, OLD.binding_key) IS DISTINCT FROM (NEW.active, NEW.issuer, NEW.subject, NEW.binding_key)`;
  for (const [event, condition] of [
    ['INSERT', bound('NEW')],
    ['UPDATE', `(${bound('OLD')} OR ${bound('NEW')}) AND ${changed}`],
    ['DELETE', bound('OLD')],
  ] as const) {
    await runner.query(`
        CREATE CONSTRAINT TRIGGER users_note_binding_${event.toLowerCase()} AFTER ${event} ON users
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION note_bindings_activity()`);
  }
}
