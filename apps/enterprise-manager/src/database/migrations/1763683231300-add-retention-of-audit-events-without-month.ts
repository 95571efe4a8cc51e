import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the retention of events in `audit_events_other`, which belong to months without a partition.
 * Such events are deleted when their whole month has expired.
 */
export class AddRetentionOfAuditEventsWithoutMonth implements MigrationInterface {
  readonly name = 'TheRestOfTheAuditTrailEndsToo1763683231300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION forget_expired_audit() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET TimeZone = 'UTC' SET DateStyle = 'ISO, YMD' SET lock_timeout = '5s' AS $$
      DECLARE
        kept_from timestamptz := date_trunc('month', now() - make_interval(days => (SELECT days FROM audit_retention)));
        forgotten integer := 0;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('audit_events partitions', 0));
        IF EXISTS (SELECT FROM audit_events_other WHERE occurred_at < kept_from) THEN
          LOCK TABLE audit_events_other IN ACCESS EXCLUSIVE MODE;
          ALTER TABLE audit_events_other DISABLE TRIGGER audit_events_only_grow;
          DELETE FROM audit_events_other WHERE occurred_at < kept_from;
          GET DIAGNOSTICS forgotten = ROW_COUNT;
          ALTER TABLE audit_events_other ENABLE TRIGGER audit_events_only_grow;
        END IF;
        RETURN forgotten;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION forget_expired_audit()');
  }
}
