import { createHash } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** A digest of every row of every table but the audit trail, which also grows by refusals. */
export const stateOf = async (manager: TestManager): Promise<string> => {
  const tables = await manager.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'audit_events' ORDER BY 1`,
  );
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const [row] = await manager.sql<{ digest: string }>(
      `SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest FROM ${name} AS t`,
    );
    hash.update(`${name}=${row?.digest ?? ''};`);
  }
  return hash.digest('hex');
};
