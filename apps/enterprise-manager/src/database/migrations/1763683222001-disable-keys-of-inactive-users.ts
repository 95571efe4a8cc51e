import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Disables the keys of a directory entry that becomes inactive or changes its subject, in the same
 * transaction, and enables them when the entry is active again. Other reasons for a disabled key
 * stay. The deletion of an entry revokes its keys, which stay for accounting.
 */
export class DisableKeysOfInactiveUsers implements MigrationInterface {
  readonly name = 'KeysFollowTheirOwners1763683222001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION user_changed_keys() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE virtual_keys k SET disabled_by_deactivation = NOT k.disabled_by_deactivation
        WHERE k.user_id = NEW.id AND k.revoked_at IS NULL
          AND k.disabled_by_deactivation = (NEW.active AND (NEW.issuer, NEW.subject) IS NOT DISTINCT FROM (k.issuer, k.subject));
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_change_keys AFTER UPDATE OF active, issuer, subject ON users
      FOR EACH ROW WHEN ((OLD.active, OLD.issuer, OLD.subject) IS DISTINCT FROM (NEW.active, NEW.issuer, NEW.subject))
      EXECUTE FUNCTION user_changed_keys()`);
    await runner.query(`
      CREATE FUNCTION user_deleted_keys() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE virtual_keys SET revoked_at = COALESCE(revoked_at, clock_timestamp()), user_id = NULL WHERE user_id = OLD.id;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_delete_keys BEFORE DELETE ON users
      FOR EACH ROW EXECUTE FUNCTION user_deleted_keys()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_delete_keys ON users');
    await runner.query('DROP FUNCTION user_deleted_keys()');
    await runner.query('DROP TRIGGER users_change_keys ON users');
    await runner.query('DROP FUNCTION user_changed_keys()');
  }
}
