import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts changes of the claims of key owners (CreateKeyRevision): a new email is a change of the
 * user's keys, a new display name of a group is a change of memberships.
 *
 * The keys are written before the commit: they are locked before the counter, as by every other
 * change of keys.
 */
export class CountChangesOfKeyClaims implements MigrationInterface {
  readonly name = 'CountChangesOfKeyClaims1763683243000';

  async up(runner: QueryRunner): Promise<void> {
    // The write of the unchanged user_id fires the trigger virtual_keys_count_change.
    await runner.query(`
      CREATE FUNCTION user_changed_claims() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE virtual_keys SET user_id = user_id WHERE user_id = NEW.id AND revoked_at IS NULL;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_change_claims AFTER UPDATE OF email ON users
      FOR EACH ROW WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION user_changed_claims()`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER groups_count_rename AFTER UPDATE OF display_name ON groups
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.display_name IS DISTINCT FROM NEW.display_name)
      EXECUTE FUNCTION count_membership_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER groups_count_rename ON groups');
    await runner.query('DROP TRIGGER users_change_claims ON users');
    await runner.query('DROP FUNCTION user_changed_claims()');
  }
}
