import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';

/** Columns that background tasks of replicas write, by table. */
const BACKGROUND_COLUMNS: Record<string, string[]> = {
  budget_alert_deliveries: ['state', 'tries', 'attempts', 'next_attempt_at', 'lease_id', 'body'],
  budget_alert_looks: ['done', 'taken_until'],
};

/**
 * One query for the digests of all tables. A suite runs it thousands of times, so a query for each
 * table would take most of its time.
 */
let digestQuery: string | undefined;
/** The last state of each database, with the snapshot of its transactions. */
const lastStates = new WeakMap<TestManager, { snapshot: string; state: string }>();

/**
 * Returns a digest of all rows of each table, one line each. It leaves out audit events, which also
 * record refusals, the last uses of keys and tokens, and columns of background tasks. It reads the
 * rows again only after a transaction that writes.
 */
export const stateOf = async (manager: TestManager): Promise<string> => {
  const snapshot = await readStableSnapshot(manager);
  const last = lastStates.get(manager);
  if (last?.snapshot === snapshot) return last.state;
  digestQuery ??= await digestsOfAllTables(manager);
  const rows = await manager.sql<{ name: string; digest: string | null }>(digestQuery);
  const state = rows.map(({ name, digest }) => `${name}: ${digest ?? 'empty'}`).join('\n');
  lastStates.set(manager, { snapshot, state });
  return state;
};

/** Longest wait for the background tasks of replicas, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/**
 * Returns the snapshot of the transactions once no background task of an accepted call is pending:
 * the check of all cells for crossed thresholds, or the end of a reservation or lease, which the
 * function postpones. A refused call that requests such a check or changes a reservation still
 * changes the state.
 */
const readStableSnapshot = async (manager: TestManager): Promise<string> => {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const [seen] = await manager.sql<{ snapshot: string; looking: boolean; ending: boolean }>(
      `SELECT pg_current_snapshot()::text AS snapshot, EXISTS (SELECT FROM budget_alert_looks WHERE asked > done) AS looking,
         EXISTS (SELECT FROM reservations WHERE ${ENDING}) AS ending`,
    );
    if (seen?.ending === true) {
      await manager.sql(`UPDATE reservations SET expires_at = expires_at + interval '1 day' WHERE ${ENDING}`);
      continue;
    }
    if (seen?.looking !== true || Date.now() > deadline) return seen?.snapshot ?? '';
    await sleep(20);
  }
};

/** Reservations that could expire during the suite. */
const ENDING = "released_at IS NULL AND expires_at < now() + interval '1 hour'";

const digestsOfAllTables = async (manager: TestManager): Promise<string> => {
  const tables = await manager.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     AND relname !~ '^audit_events' AND relname <> 'virtual_key_uses' ORDER BY 1`,
  );
  return tables
    .map(({ name }) => {
      const left = ['last_used_at', ...(BACKGROUND_COLUMNS[name] ?? [])].map((column) => `'${column}'`).join(', ');
      return `SELECT '${name}' AS name, md5(string_agg(row, '|' ORDER BY row)) AS digest
        FROM (SELECT (to_jsonb(t) - ARRAY[${left}])::text AS row FROM ${name} AS t) AS rows`;
    })
    .join(' UNION ALL ')
    .concat(' ORDER BY name');
};
