import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the retention of the audit trail. The service may request the deletion of expired events,
 * but only the owner sets the number of days.
 */
export class AddRetentionOfAuditEvents1763683330000 implements MigrationInterface {
  readonly name = 'AddRetentionOfAuditEvents1763683330000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_retention (
        only_row boolean PRIMARY KEY DEFAULT TRUE CHECK (only_row),
        days integer NOT NULL CHECK (days >= 30)
      )`);
    await runner.query('INSERT INTO audit_retention (days) VALUES (400)');
    await runner.query(`
      DO $$
      DECLARE grantee text;
      BEGIN
        FOR grantee IN
          SELECT DISTINCT CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END
          FROM pg_class, aclexplode(relacl) AS acl
          WHERE pg_class.oid = 'audit_retention'::regclass AND acl.grantee <> relowner
        LOOP
          EXECUTE format('REVOKE ALL ON audit_retention FROM %s', grantee);
          EXECUTE format('GRANT SELECT ON audit_retention TO %s', grantee);
        END LOOP;
      END $$`);
    await runner.query(`
      CREATE FUNCTION delete_expired_audit_events() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '5s' AS $$
      DECLARE
        kept_from timestamptz := now() - make_interval(days => (SELECT days FROM audit_retention));
        deleted integer := 0;
      BEGIN
        IF EXISTS (SELECT FROM audit_events WHERE occurred_at < kept_from) THEN
          ALTER TABLE audit_events DISABLE TRIGGER audit_events_only_grow;
          DELETE FROM audit_events WHERE occurred_at < kept_from;
          GET DIAGNOSTICS deleted = ROW_COUNT;
          ALTER TABLE audit_events ENABLE TRIGGER audit_events_only_grow;
        END IF;
        RETURN deleted;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION delete_expired_audit_events()');
    await runner.query('DROP TABLE audit_retention');
  }
}
