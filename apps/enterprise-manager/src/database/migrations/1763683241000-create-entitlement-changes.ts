import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A transaction with more changed users is stored as one change of all users. */
const MAX_USERS = 1_000;
/** Number of the latest revisions whose changes are stored. */
const STORED_REVISIONS = 2_000;

/**
 * Stores the users whose entitlements have changed, for the gateways that remember entitlements.
 *
 * Statement triggers store the written users and groups in entitlement_writes. A deferred trigger
 * converts them at the commit to rows of entitlement_changes, with a version of the counter of keys
 * (CreateKeyRevision). docs/decisions/0180 explains why no change is missed.
 */
export class CreateEntitlementChanges implements MigrationInterface {
  readonly name = 'EntitlementChanges1763683241000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner);
    await createLog(runner);
    await createTriggers(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, name } of listTriggers()) await runner.query(`DROP TRIGGER ${name} ON ${table}`);
    for (const write of ['connections', 'members', 'subgroups', 'users', 'identities'])
      await runner.query(`DROP FUNCTION note_entitlements_of_${write}()`);
    await runner.query('DROP TABLE entitlement_writes');
    await runner.query('DROP FUNCTION log_entitlement_changes()');
    await runner.query('DROP TABLE entitlement_changes');
  }
}

async function createTables(runner: QueryRunner): Promise<void> {
  // Without a gateway, a change concerns all gateways. Without a user, it concerns all users.
  await runner.query(`
      CREATE TABLE entitlement_changes (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entitlement_changes_pkey PRIMARY KEY,
        version bigint NOT NULL,
        gateway_id text,
        user_id uuid,
        issuer text,
        subject text
      )`);
  await runner.query('CREATE INDEX entitlement_changes_version ON entitlement_changes (version)');
  // Only the writing transaction sees its rows, since the commit removes them. A row with an issuer
  // has the identity of its user; other users are looked up at the commit.
  await runner.query(`
      CREATE TABLE entitlement_writes (
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        id bigint GENERATED ALWAYS AS IDENTITY,
        gateway_id text,
        user_id uuid,
        issuer text,
        subject text,
        group_id uuid,
        CONSTRAINT entitlement_writes_pkey PRIMARY KEY (xid, id)
      )`);
}

/** Creates the deferred trigger that converts the writes of a transaction to changes. */
async function createLog(runner: QueryRunner): Promise<void> {
  await runner.query(`
      CREATE FUNCTION log_entitlement_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE counted bigint;
      BEGIN
        IF NOT EXISTS (SELECT FROM entitlement_writes WHERE xid = pg_current_xact_id()) THEN
          RETURN NULL;
        END IF;
        UPDATE key_revision SET revision = revision + 1 RETURNING revision INTO counted;
        WITH RECURSIVE written AS (
          SELECT * FROM entitlement_writes WHERE xid = pg_current_xact_id()
        ), below (group_id) AS (
          SELECT group_id FROM written WHERE group_id IS NOT NULL
          UNION SELECT s.child_id FROM below JOIN group_subgroups AS s ON s.parent_id = below.group_id
        ), named AS MATERIALIZED (
          SELECT gateway_id, user_id, issuer, subject FROM written WHERE user_id IS NOT NULL
          UNION ALL
          SELECT NULL, m.user_id, NULL, NULL FROM below JOIN group_users AS m ON m.group_id = below.group_id
          LIMIT ${MAX_USERS + 1}
        ), total AS (
          SELECT count(*) > ${MAX_USERS} AS is_exceeded FROM named
        )
        INSERT INTO entitlement_changes (version, gateway_id, user_id, issuer, subject)
        SELECT counted, NULL::text, NULL::uuid, NULL::text, NULL::text FROM total WHERE is_exceeded
        UNION ALL
        SELECT DISTINCT counted, n.gateway_id, n.user_id, COALESCE(n.issuer, u.issuer),
          CASE WHEN n.issuer IS NULL THEN u.subject ELSE n.subject END
        FROM total, named AS n LEFT JOIN users AS u ON u.id = n.user_id
        WHERE NOT is_exceeded AND (n.issuer IS NOT NULL OR u.id IS NOT NULL);
        DELETE FROM entitlement_writes WHERE xid = pg_current_xact_id();
        DELETE FROM entitlement_changes WHERE version <= counted - ${STORED_REVISIONS};
        PERFORM pg_notify('entitlements_changed', '');
        RETURN NULL;
      END $$`);
  await runner.query(`
      CREATE CONSTRAINT TRIGGER entitlement_writes_log AFTER INSERT ON entitlement_writes
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION log_entitlement_changes()`);
}

/** A function that stores the rows of the transition table `changed`. */
const createNote = (write: string, columns: string, select: string): string => `
      CREATE FUNCTION note_entitlements_of_${write}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO entitlement_writes (${columns}) ${select} LIMIT ${MAX_USERS + 1};
        RETURN NULL;
      END $$`;

/** Creates the triggers of the tables from which entitlements are read. */
async function createTriggers(runner: QueryRunner): Promise<void> {
  // Each change of a connection changes its version. A removed connector has no gateway any more.
  await runner.query(
    createNote(
      'connections',
      'gateway_id, user_id',
      `SELECT DISTINCT k.gateway_id, changed.user_id
        FROM changed LEFT JOIN connectors AS k ON k.id = changed.connector_id`,
    ),
  );
  await runner.query(createNote('members', 'user_id', 'SELECT DISTINCT user_id FROM changed'));
  await runner.query(createNote('subgroups', 'group_id', 'SELECT DISTINCT child_id FROM changed'));
  await runner.query(createNote('users', 'user_id, issuer, subject', 'SELECT id, issuer, subject FROM changed'));
  await runner.query(
    createNote(
      'identities',
      'user_id, issuer, subject',
      `SELECT DISTINCT u.id, u.issuer, u.subject
        FROM before JOIN changed ON changed.id = before.id
          AND (changed.issuer, changed.subject, changed.binding_key, changed.active)
            IS DISTINCT FROM (before.issuer, before.subject, before.binding_key, before.active),
        LATERAL (VALUES (before.id, before.issuer, before.subject), (changed.id, changed.issuer, changed.subject))
          AS u (id, issuer, subject)`,
    ),
  );
  for (const { table, name, event, transition, write } of listTriggers())
    await runner.query(`
      CREATE TRIGGER ${name} AFTER ${event} ON ${table} REFERENCING ${transition}
      FOR EACH STATEMENT EXECUTE FUNCTION note_entitlements_of_${write}()`);
}

/** The statement triggers. An update of a link has one for its old and one for its new rows. */
function listTriggers() {
  const sources = [
    { table: 'connection_versions', write: 'connections' },
    { table: 'group_users', write: 'members' },
    { table: 'group_subgroups', write: 'subgroups' },
  ];
  const links = sources.flatMap(({ table, write }) => [
    { table, write, name: `${table}_note_insert`, event: 'INSERT', transition: 'NEW TABLE AS changed' },
    { table, write, name: `${table}_note_delete`, event: 'DELETE', transition: 'OLD TABLE AS changed' },
    { table, write, name: `${table}_note_old`, event: 'UPDATE', transition: 'OLD TABLE AS changed' },
    { table, write, name: `${table}_note_new`, event: 'UPDATE', transition: 'NEW TABLE AS changed' },
  ]);
  const users = { table: 'users', write: 'users' };
  return [
    ...links,
    { ...users, name: 'users_note_inserted', event: 'INSERT', transition: 'NEW TABLE AS changed' },
    { ...users, name: 'users_note_deleted', event: 'DELETE', transition: 'OLD TABLE AS changed' },
    {
      table: 'users',
      write: 'identities',
      name: 'users_note_updated',
      event: 'UPDATE',
      transition: 'OLD TABLE AS before NEW TABLE AS changed',
    },
  ];
}
