import { createHash } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** What replicas write by themselves, whoever calls them, by table. */
const BY_THEMSELVES: Record<string, string[]> = {
  budget_alert_deliveries: ['state', 'tries', 'attempts', 'next_attempt_at', 'lease_id', 'body'],
  budget_alert_looks: ['done', 'taken_until'],
};

/** A digest of every row of every table but the audit trail, which also grows by refusals, the last uses of keys and tokens,
 * and what replicas do by themselves, which are no change. */
export const stateOf = async (manager: TestManager): Promise<string> => {
  const tables = await manager.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^audit_events' AND tablename <> 'virtual_key_uses' ORDER BY 1`,
  );
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const [row] = await manager.sql<{ digest: string }>(
      `SELECT coalesce(md5(string_agg(row, '|' ORDER BY row)), '') AS digest
       FROM (SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ${name} AS t) AS rows`,
      [['last_used_at', ...(BY_THEMSELVES[name] ?? [])]],
    );
    hash.update(`${name}=${row?.digest ?? ''};`);
  }
  return hash.digest('hex');
};
