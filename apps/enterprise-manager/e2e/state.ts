import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';

/** Columns that background tasks of replicas write, by table. */
const BACKGROUND_COLUMNS: Record<string, string[]> = {
  budget_alert_deliveries: ['state', 'tries', 'attempts', 'next_attempt_at', 'lease_id', 'body'],
  budget_alert_looks: ['done', 'taken_until'],
};

/** The digests of a database, each with the number of writes to its table before it was read. */
interface DigestCache {
  writes: string;
  tables: Map<string, { writes: string; digest: string }>;
}

/** The digests of each database. */
const caches = new WeakMap<TestManager, DigestCache>();

/**
 * Returns a digest of all rows of each table, one line each. It leaves out audit events, which also
 * record refusals, the last uses of keys and tokens, and columns of background tasks. A suite calls
 * it thousands of times, so it reads only the tables that a statement wrote to since the last call.
 */
export const readDatabaseState = async (manager: TestManager): Promise<string> => {
  const cache = caches.get(manager) ?? (await countWrites(manager));
  const { writes, writing } = await readWritesAtRest(manager);
  if (cache.writes !== writes) await refreshDigests(manager, cache);
  // A transaction in progress has counted its writes already, but its rows are not visible yet.
  cache.writes = writing ? '' : writes;
  if (writing) for (const table of cache.tables.values()) table.writes = '';
  return [...cache.tables].map(([name, { digest }]) => `${name}: ${digest}`).join('\n');
};

/** Longest wait for the background tasks of replicas, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/**
 * Returns the number of writing statements once no background task of an accepted call is pending:
 * the check of all cells for crossed thresholds, or the end of a reservation or lease, which the
 * function postpones. A refused call that requests such a check or changes a reservation still
 * changes the state.
 */
const readWritesAtRest = async (manager: TestManager): Promise<{ writes: string; writing: boolean }> => {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const [seen] = await manager.sql<{ writes: string; writing: boolean; looking: boolean; ending: boolean }>(
      `SELECT (SELECT last_value FROM write_counts.all_tables)::text AS writes,
         EXISTS (SELECT FROM budget_alert_looks WHERE asked > done) AS looking,
         EXISTS (SELECT FROM reservations WHERE ${ENDING}) AS ending,
         EXISTS (SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid())
           AND EXISTS (SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
             WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND l.mode = 'RowExclusiveLock' AND ${IS_WATCHED}) AS writing`,
    );
    if (seen?.ending === true) {
      await manager.sql(`UPDATE reservations SET expires_at = expires_at + interval '1 day' WHERE ${ENDING}`);
      continue;
    }
    if (seen?.looking !== true || Date.now() > deadline)
      return { writes: seen?.writes ?? '', writing: seen?.writing ?? true };
    await sleep(20);
  }
};

/** Reservations that could expire during the suite. */
const ENDING = "released_at IS NULL AND expires_at < now() + interval '1 hour'";

/** The tables of the digest, as a condition on pg_class AS c. */
const IS_WATCHED = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND c.relname !~ '^audit_events' AND c.relname <> 'virtual_key_uses'`;

/** Reads the digests of the tables that were written to since the last time. */
const refreshDigests = async (manager: TestManager, { tables }: DigestCache): Promise<void> => {
  const counts = await manager.sql<{ name: string; writes: string }>(
    `SELECT sequencename AS name, COALESCE(last_value, 0)::text AS writes FROM pg_sequences
     WHERE schemaname = 'write_counts' AND sequencename <> 'all_tables' ORDER BY 1`,
  );
  const changed = counts.filter(({ name, writes }) => tables.get(name)?.writes !== writes);
  if (changed.length === 0) return;
  const digests = await manager.sql<{ name: string; digest: string | null }>(
    changed.map(({ name }) => selectDigest(name)).join(' UNION ALL '),
  );
  const found = new Map(digests.map(({ name, digest }) => [name, digest ?? 'empty']));
  for (const { name, writes } of changed) tables.set(name, { writes, digest: found.get(name) ?? 'empty' });
};

const selectDigest = (name: string): string => {
  const left = ['last_used_at', ...(BACKGROUND_COLUMNS[name] ?? [])].map((column) => `'${column}'`).join(', ');
  return `SELECT '${name}' AS name, md5(string_agg(row, '|' ORDER BY row)) AS digest
    FROM (SELECT (to_jsonb(t) - ARRAY[${left}])::text AS row FROM ${name} AS t) AS rows`;
};

/**
 * Adds a trigger to each table that counts the statements that write to it. Sequences hold the
 * counts, because a sequence has no lock and no rollback: the service runs as without them. The
 * snapshot of Postgres would not do, because it also changes with the other databases of the
 * server.
 */
const countWrites = async (manager: TestManager): Promise<DigestCache> => {
  const tables = await manager.sql<{ name: string; root: string }>(
    `SELECT c.relname AS name, COALESCE(pg_partition_root(c.oid)::regclass, c.oid::regclass)::text AS root
     FROM pg_class c WHERE ${IS_WATCHED} ORDER BY 1`,
  );
  const roots = [...new Set(tables.map(({ root }) => root))];
  await manager.sql(`
    CREATE SCHEMA write_counts;
    CREATE SEQUENCE write_counts.all_tables;
    CREATE FUNCTION write_counts.add() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        PERFORM nextval(TG_ARGV[0]::regclass), nextval('write_counts.all_tables');
        RETURN NULL;
      END $$;
    ${roots.map((root) => `CREATE SEQUENCE write_counts.${root};`).join('\n')}
    ${tables
      .map(
        ({ name, root }) =>
          `CREATE TRIGGER count_writes AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${name}
           FOR EACH STATEMENT EXECUTE FUNCTION write_counts.add('write_counts.${root}');`,
      )
      .join('\n')}`);
  const cache = { writes: '', tables: new Map<string, { writes: string; digest: string }>() };
  caches.set(manager, cache);
  return cache;
};
