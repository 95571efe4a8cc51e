import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The filters of the audit trail. An index serves each of them, newest first. */
const FILTERS = ['object_id', 'subject', 'operation', 'outcome', 'object_kind', 'issuer', 'request_id'];

/**
 * Creates the audit trail. Roles other than the owner lose the right to change or remove rows. A
 * trigger also refuses changes by the owner, for installations with one role.
 */
export class CreateAuditTrail1763683312001 implements MigrationInterface {
  readonly name = 'CreateAuditTrail1763683312001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_events (
        occurred_at timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        request_id text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        operation text NOT NULL,
        object_kind text,
        object_id text,
        outcome text NOT NULL,
        changed_fields text[] NOT NULL,
        occurrences integer NOT NULL DEFAULT 1,
        CONSTRAINT audit_events_pkey PRIMARY KEY (occurred_at, id)
      )`);
    for (const column of FILTERS)
      await runner.query(`CREATE INDEX audit_events_by_${column} ON audit_events (${column}, occurred_at, id)`);
    await runner.query(`
      DO $$
      DECLARE grantee text;
      BEGIN
        FOR grantee IN
          SELECT DISTINCT CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END
          FROM pg_class, aclexplode(relacl) AS acl
          WHERE pg_class.oid = 'audit_events'::regclass AND acl.grantee <> relowner
        LOOP
          EXECUTE format('REVOKE ALL ON audit_events FROM %s', grantee);
          EXECUTE format('GRANT SELECT, INSERT ON audit_events TO %s', grantee);
        END LOOP;
      END $$`);
    await runner.query(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_events_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_events');
    await runner.query('DROP FUNCTION refuse_audit_change()');
  }
}
