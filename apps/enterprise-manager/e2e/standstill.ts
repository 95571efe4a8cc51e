import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';

/**
 * Waits until statements of the test database wait for locks.
 * @param text a part of the statement, because background statements may wait for the same lock
 */
export async function waitForLockedStatements(
  { sql }: Pick<TestManager, 'sql'>,
  text: string,
  count = 1,
): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 in query) > 0 AND pid <> pg_backend_pid()`;
  while ((await sql(waiting, [text])).length < count) await sleep(10);
}
