import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';

/** What replicas write by themselves, whoever calls them, by table. */
const BY_THEMSELVES: Record<string, string[]> = {
  budget_alert_deliveries: ['state', 'tries', 'attempts', 'next_attempt_at', 'lease_id', 'body'],
  budget_alert_looks: ['done', 'taken_until'],
};

/**
 * One question for the digests of all tables: asked thousands of times, a question for each table
 * is most of the time of a suite.
 */
let question: string | undefined;
/**
 * What a database held when it was last looked at, and which transactions its server had seen by
 * then.
 */
const looks = new WeakMap<TestManager, { snapshot: string; state: string }>();

/**
 * A digest of each table, a line each, over all of its rows; of every table but the audit trail,
 * which also grows by refusals, the last uses of keys and tokens, and what replicas do by
 * themselves, which are no change. The rows are read again only when the server has seen a
 * transaction that writes.
 */
export const stateOf = async (manager: TestManager): Promise<string> => {
  const snapshot = await restingSnapshot(manager);
  const last = looks.get(manager);
  if (last?.snapshot === snapshot) return last.state;
  question ??= await digestsOfAllTables(manager);
  const rows = await manager.sql<{ name: string; digest: string | null }>(question);
  const state = rows.map(({ name, digest }) => `${name}: ${digest ?? 'empty'}`).join('\n');
  looks.set(manager, { snapshot, state });
  return state;
};

/**
 * How long replicas may take for what is before them; what a killed one began takes longer, and is
 * not waited for.
 */
const REST_MS = 5_000;

/**
 * Which transactions the server has seen, once replicas have nothing before them that they write by
 * themselves after the answer to an accepted call: a look at all cells for crossed thresholds, or
 * the end of a reservation or lease, which is put off instead of waited for. A refused call that
 * asks for a look is still found: who asked is counted. So is one that makes, ends or changes a
 * reservation: its row is another one.
 */
const restingSnapshot = async (manager: TestManager): Promise<string> => {
  const deadline = Date.now() + REST_MS;
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

/** Reservations that could end by themselves before the next look: suites take minutes. */
const ENDING = "released_at IS NULL AND expires_at < now() + interval '1 hour'";

const digestsOfAllTables = async (manager: TestManager): Promise<string> => {
  const tables = await manager.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     AND relname !~ '^audit_events' AND relname <> 'virtual_key_uses' ORDER BY 1`,
  );
  return tables
    .map(({ name }) => {
      const left = ['last_used_at', ...(BY_THEMSELVES[name] ?? [])].map((column) => `'${column}'`).join(', ');
      return `SELECT '${name}' AS name, md5(string_agg(row, '|' ORDER BY row)) AS digest
        FROM (SELECT (to_jsonb(t) - ARRAY[${left}])::text AS row FROM ${name} AS t) AS rows`;
    })
    .join(' UNION ALL ')
    .concat(' ORDER BY name');
};
