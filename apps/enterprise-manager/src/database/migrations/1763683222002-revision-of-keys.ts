import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts every change of what a key may do, so that memories of keys know whether they are still
 * right.
 *
 * There is one row, and a transaction that counts it up keeps it locked until it ends: revisions
 * become visible in their order, and nothing that commits late can hide behind a higher one. The
 * counting waits for the commit (deferred), so that a long transaction does not keep others from
 * changing keys, and so that this lock is the last one taken. A key's version is the revision of
 * its last change; memberships count once in a transaction.
 */
export class RevisionOfKeys1763683222002 implements MigrationInterface {
  name = 'RevisionOfKeys1763683222002';

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
