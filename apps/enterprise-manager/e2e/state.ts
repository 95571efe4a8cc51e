import { createHash } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** A digest of every row of every table but the audit trail, which also grows by refusals, and the last uses of keys and tokens, which are no change. */
export const stateOf = async (manager: TestManager): Promise<string> => {
  const tables = await manager.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^audit_events' AND tablename <> 'virtual_key_uses' ORDER BY 1`,
  );
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const [row] = await manager.sql<{ digest: string }>(
      `SELECT coalesce(md5(string_agg(row, '|' ORDER BY row)), '') AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${name} AS t) AS rows`,
    );
    hash.update(`${name}=${row?.digest ?? ''};`);
  }
  return hash.digest('hex');
};
