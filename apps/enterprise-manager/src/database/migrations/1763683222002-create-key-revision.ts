import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts all changes of the rights of keys, so that caches of keys can detect them.
 *
 * There is one row. A transaction that increments it locks it until its end, so revisions become
 * visible in their order, and a late commit never has a lower revision than a visible one. The
 * triggers are deferred to the commit: a long transaction does not delay other changes of keys, and
 * this lock is the last one of each transaction. The version of a key is the revision of its last
 * change. Memberships count once in a transaction.
 */
export class CreateKeyRevision implements MigrationInterface {
  readonly name = 'RevisionOfKeys1763683222002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_revision (
        only_row boolean NOT NULL CONSTRAINT key_revision_pkey PRIMARY KEY CONSTRAINT key_revision_once CHECK (only_row),
        epoch uuid NOT NULL,
        revision bigint NOT NULL,
        groups_revision bigint NOT NULL
      )`);
    await runner.query('INSERT INTO key_revision VALUES (TRUE, gen_random_uuid(), 0, 0)');
    await runner.query(`
      CREATE FUNCTION count_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE counted bigint;
      BEGIN
        UPDATE key_revision SET revision = revision + 1 RETURNING revision INTO counted;
        UPDATE virtual_keys SET version = counted WHERE id = NEW.id;
        PERFORM pg_notify('keys_changed', '');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER virtual_keys_count_change
      AFTER INSERT OR UPDATE OF issuer, subject, user_id, secret_hash, previous_hash, previous_valid_until, disabled_by_owner,
        disabled_by_administrator, disabled_by_deactivation, revoked_at, expires_at ON virtual_keys
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_key_change()`);
    await runner.query(`
      CREATE FUNCTION count_membership_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('gatehouse.membership_counted', TRUE) IS DISTINCT FROM pg_current_xact_id()::text THEN
          PERFORM set_config('gatehouse.membership_counted', pg_current_xact_id()::text, TRUE);
          UPDATE key_revision SET revision = revision + 1, groups_revision = revision + 1;
          PERFORM pg_notify('keys_changed', '');
        END IF;
        RETURN NULL;
      END $$`);
    for (const table of ['group_users', 'group_subgroups']) {
      await runner.query(`
        CREATE CONSTRAINT TRIGGER ${table}_count_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_membership_change()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['group_subgroups', 'group_users'])
      await runner.query(`DROP TRIGGER ${table}_count_change ON ${table}`);
    await runner.query('DROP FUNCTION count_membership_change()');
    await runner.query('DROP TRIGGER virtual_keys_count_change ON virtual_keys');
    await runner.query('DROP FUNCTION count_key_change()');
    await runner.query('DROP TABLE key_revision');
  }
}
