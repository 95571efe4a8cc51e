import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';

/**
 * Waits until statements of a test's database wait for locks.
 * @param text part of the statement: other statements, as those of sweepers, may wait for the same
 * lock
 */
export async function untilWaiting({ sql }: Pick<TestManager, 'sql'>, text: string, count = 1): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 in query) > 0 AND pid <> pg_backend_pid()`;
  while ((await sql(waiting, [text])).length < count) await sleep(10);
}
