import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';
import type { ReplicaCall } from './replica.ts';

/** A write that is about to be made. */
export interface PreparedWrite {
  request: ReplicaCall;
  /**
   * What the write changes, each true when it has happened: all of them or none. Its audit row,
   * which there always is, is looked at besides.
   */
  effects: () => Promise<Record<string, boolean>>;
}

/** What two writes cannot both hold. */
type Lock =
  | 'client configuration'
  | 'signing keys'
  | 'graph of groups'
  | 'budgets'
  | 'pricing catalog'
  | 'batches of admissions'
  | 'snapshot of a gateway';

/** A kind of write. */
export interface CrashOperation {
  name: string;
  /**
   * What it, or what prepares it, holds alone: of those that hold the same, only one stands still
   * at a time.
   */
  lock?: Lock;
  /** What it holds together with others that share it, but not with one that holds it alone. */
  shares?: readonly Lock[];
  /** What it begins goes on by itself after its commit and is no part of it. */
  endsWithCommit?: true;
  /** It has no row in the audit trail: what gateways do is no administration. */
  unaudited?: true;
  /** Makes what the write needs, by way of a replica that nobody kills. */
  prepare: (manager: TestManager) => Promise<PreparedWrite>;
}

/**
 * Sends a request to the replica that nobody kills.
 * @param token default that of the administrator
 */
export async function make(
  manager: TestManager,
  method: string,
  path: string,
  body?: unknown,
  token = manager.tokens.admin,
) {
  const response = await fetch(manager.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as { id: string; key: { id: string }; secret: string };
}

/** The one row that a question has, as booleans. */
export async function ask(manager: TestManager, question: string, values: unknown[]): Promise<Record<string, boolean>> {
  const [row] = await manager.sql<Record<string, boolean>>(`SELECT ${question}`, values);
  return row ?? {};
}

/** A request of the administrator. */
export const admin = (manager: TestManager, method: string, path: string, body?: unknown): ReplicaCall => ({
  method,
  path,
  token: manager.tokens.admin,
  ...(body !== undefined && { body }),
});

/** What is left of a write. */
export interface Left {
  effects: Record<string, boolean>;
  /** Rows of the audit trail. */
  audited: number;
}

/**
 * What there is to see of a write that happened, or did not: all that it changes, and one row of
 * the audit trail where it leaves one.
 */
export const leftOf = (
  { unaudited }: Pick<CrashOperation, 'unaudited'>,
  effects: Record<string, boolean>,
  happened: boolean,
): Left => ({
  effects: Object.fromEntries(Object.keys(effects).map((name) => [name, happened])),
  audited: happened && unaudited !== true ? 1 : 0,
});

/** Looks at what is left of a write. */
export async function look(manager: TestManager, { effects }: PreparedWrite, requestId: string): Promise<Left> {
  const rows = await manager.sql('SELECT FROM audit_events WHERE request_id = $1', [requestId]);
  return { effects: await effects(), audited: rows.length };
}

/** Waits until the server has finished what killed processes had sent. */
export async function serverIsDone(manager: TestManager): Promise<void> {
  const busy = () =>
    manager.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query IN ('COMMIT', 'ROLLBACK')`,
    );
  while ((await busy()).length > 0) await sleep(5);
}
