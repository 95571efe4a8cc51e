import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The filters of the audit trail. An index serves each of them, newest first. */
const FILTERS = ['object_id', 'subject', 'operation', 'outcome', 'object_kind', 'issuer', 'request_id'];

const TRIGGER = `BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`;

/**
 * Partitions the audit trail by month (UTC) of its time, and moves the rows. Whole months are
 * dropped when they are older than the number of days in `audit_retention`. The service can request
 * this and cannot change the number. Times without a partition are in `audit_events_other` until
 * their month exists.
 *
 * No role has rights on a single month: rows are added and read through the whole table, and a
 * trigger refuses changes of a month to its owner too.
 */
export class PartitionAuditTrailByMonth implements MigrationInterface {
  readonly name = 'AuditTrailByMonth1763683225000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_events RENAME TO audit_events_whole');
    await runner.query('ALTER TABLE audit_events_whole RENAME CONSTRAINT audit_events_pkey TO audit_events_whole_pkey');
    await runner.query('ALTER INDEX audit_events_of_object RENAME TO audit_events_whole_of_object');
    await runner.query('ALTER INDEX audit_events_of_subject RENAME TO audit_events_whole_of_subject');
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
      ) PARTITION BY RANGE (occurred_at)`);
    for (const column of FILTERS)
      await runner.query(`CREATE INDEX audit_events_by_${column} ON audit_events (${column}, occurred_at, id)`);
    await runner.query('CREATE TABLE audit_events_other PARTITION OF audit_events DEFAULT');
    await runner.query(`
      CREATE FUNCTION keep_rights(closed regclass, kept text[]) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
      DECLARE held record;
      BEGIN
        FOR held IN
          SELECT DISTINCT acl.grantee, acl.privilege_type AS right_name
          FROM pg_class, aclexplode(relacl) AS acl
          WHERE pg_class.oid = closed AND acl.grantee <> relowner AND NOT acl.privilege_type = ANY (kept)
        LOOP
          EXECUTE format('REVOKE %s ON %s FROM %s', held.right_name, closed,
                         CASE WHEN held.grantee = 0 THEN 'PUBLIC' ELSE held.grantee::regrole::text END);
        END LOOP;
      END $$`);
    await runner.query(`SELECT keep_rights('audit_events', '{SELECT,INSERT}')`);
    await runner.query(`SELECT keep_rights('audit_events_other', '{}')`);
    for (const table of ['audit_events', 'audit_events_other'])
      await runner.query(
        `DO $do$ BEGIN EXECUTE format('CREATE TRIGGER audit_events_only_grow ${TRIGGER}', '${table}'); END $do$`,
      );
    await this.addKeeping(runner);
    await runner.query(`
      SELECT ensure_audit_partitions(month::date, month::date)
      FROM (SELECT DISTINCT date_trunc('month', occurred_at AT TIME ZONE 'UTC') AS month FROM audit_events_whole) AS months`);
    await runner.query(`
      INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, object_kind, object_id, outcome, changed_fields)
      SELECT occurred_at, id, request_id, issuer, subject, operation, object_kind, object_id, outcome, changed_fields
      FROM audit_events_whole`);
    await runner.query('DROP TABLE audit_events_whole');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION ensure_audit_partitions(date, date)');
    await runner.query('DROP FUNCTION drop_expired_audit_partitions()');
    await runner.query('DROP TABLE audit_retention');
    await runner.query('ALTER TABLE audit_events RENAME TO audit_events_by_month');
    await runner.query(
      'ALTER TABLE audit_events_by_month RENAME CONSTRAINT audit_events_pkey TO audit_events_by_month_pkey',
    );
    await runner.query('CREATE TABLE audit_events (LIKE audit_events_by_month)');
    await runner.query('INSERT INTO audit_events SELECT * FROM audit_events_by_month');
    await runner.query('DROP TABLE audit_events_by_month');
    await runner.query('ALTER TABLE audit_events DROP COLUMN occurrences');
    await runner.query('ALTER TABLE audit_events ADD CONSTRAINT audit_events_pkey PRIMARY KEY (occurred_at, id)');
    await runner.query('CREATE INDEX audit_events_of_object ON audit_events (object_id, occurred_at, id)');
    await runner.query('CREATE INDEX audit_events_of_subject ON audit_events (subject, occurred_at, id)');
    await runner.query(`SELECT keep_rights('audit_events', '{SELECT,INSERT}')`);
    await runner.query(
      `DO $do$ BEGIN EXECUTE format('CREATE TRIGGER audit_events_only_grow ${TRIGGER}', 'audit_events'); END $do$`,
    );
    await runner.query('DROP FUNCTION keep_rights(regclass, text[])');
  }

  /** The functions that the service may call: they create months and drop expired ones. */
  private async addKeeping(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_retention (
        only_row boolean PRIMARY KEY DEFAULT TRUE CHECK (only_row),
        days integer NOT NULL CHECK (days >= 30)
      )`);
    await runner.query('INSERT INTO audit_retention (days) VALUES (400)');
    await runner.query(`SELECT keep_rights('audit_retention', '{SELECT}')`);
    await this.addCreation(runner);
    await this.addDropping(runner);
  }

  private async addCreation(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION ensure_audit_partitions(earliest date, latest date) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '5s' AS $$
      DECLARE
        month timestamp := date_trunc('month', earliest::timestamp);
        made integer := 0;
        partition text;
        starts timestamptz;
        ends timestamptz;
      BEGIN
        IF latest > earliest + 800 THEN RAISE EXCEPTION 'more months than anybody needs ahead'; END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('audit_events partitions', 0));
        WHILE month <= latest LOOP
          partition := 'audit_events_' || to_char(month, 'YYYY_MM');
          IF to_regclass(partition) IS NULL THEN
            starts := month AT TIME ZONE 'UTC';
            ends := (month + interval '1 month') AT TIME ZONE 'UTC';
            EXECUTE format('CREATE TABLE %I (LIKE audit_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
            LOCK TABLE audit_events_other IN ACCESS EXCLUSIVE MODE;
            ALTER TABLE audit_events_other DISABLE TRIGGER audit_events_only_grow;
            EXECUTE format(
              'WITH moved AS (DELETE FROM audit_events_other WHERE occurred_at >= %L AND occurred_at < %L RETURNING *)
               INSERT INTO %I SELECT * FROM moved', starts, ends, partition);
            ALTER TABLE audit_events_other ENABLE TRIGGER audit_events_only_grow;
            EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, starts, ends);
            EXECUTE format('CREATE TRIGGER audit_events_only_grow ${TRIGGER}', partition);
            PERFORM keep_rights(partition::regclass, '{}');
            made := made + 1;
          END IF;
          month := month + interval '1 month';
        END LOOP;
        RETURN made;
      END $$`);
  }

  private async addDropping(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION drop_expired_audit_partitions() RETURNS text[]
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '5s' AS $$
      DECLARE
        oldest timestamp := (now() AT TIME ZONE 'UTC') - make_interval(days => (SELECT days FROM audit_retention));
        dropped text[] := '{}';
        partition text;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('audit_events partitions', 0));
        FOR partition IN
          SELECT inhrelid::regclass::text FROM pg_inherits
          WHERE inhparent = 'audit_events'::regclass AND inhrelid::regclass::text ~ '^audit_events_[0-9]{4}_[0-9]{2}$'
            AND to_timestamp(right(inhrelid::regclass::text, 7) || '-01 +00', 'YYYY_MM-DD TZH') AT TIME ZONE 'UTC' + interval '1 month' <= oldest
          ORDER BY 1
        LOOP
          EXECUTE format('DROP TABLE %I', partition);
          dropped := dropped || partition;
        END LOOP;
        RETURN dropped;
      END $$`);
  }
}
