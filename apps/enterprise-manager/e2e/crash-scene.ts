import { setTimeout as sleep } from 'node:timers/promises';
import type { TestManager } from './enterprise-manager.ts';
import type { ReplicaCall } from './replica.ts';

/** A write that can be sent now. */
export interface PreparedWrite {
  request: ReplicaCall;
  /**
   * The changes that the write makes, each true once it is visible. The test reads the audit event
   * of the write by itself.
   */
  effects: () => Promise<Record<string, boolean>>;
}

/** A lock that only one write can hold at a time. */
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
   * The lock that the write or its preparation holds exclusively. The test stops only one write
   * with this lock at a time.
   */
  lock?: Lock;
  /**
   * The write reads or replaces what other writes with its lock change. The test stops no other
   * write with this lock in the same process.
   */
  isExclusive?: true;
  /** Locks that the write holds in shared mode. */
  shares?: readonly Lock[];
  /** The write starts background work after its commit, which is not part of the write. */
  endsWithCommit?: true;
  /** The write has no audit event, because a gateway makes it. */
  unaudited?: true;
  /** Creates the objects that the write needs, through a replica that stays alive. */
  prepare: (manager: TestManager) => Promise<PreparedWrite>;
}

/**
 * Sends a request to the replica that stays alive.
 * @param token default: the token of the administrator
 * @throws Error for a response that is not a success
 */
export async function sendRequest(
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

/** Reads one row of booleans. @param question the text of the query after SELECT */
export async function readFlags(
  manager: TestManager,
  question: string,
  values: unknown[],
): Promise<Record<string, boolean>> {
  const [row] = await manager.sql<Record<string, boolean>>(`SELECT ${question}`, values);
  return row ?? {};
}

/** Creates a request of the administrator. */
export const adminRequest = (manager: TestManager, method: string, path: string, body?: unknown): ReplicaCall => ({
  method,
  path,
  token: manager.tokens.admin,
  ...(body !== undefined && { body }),
});

/** The visible effects of a write. */
export interface WriteState {
  effects: Record<string, boolean>;
  /** Number of audit events. */
  auditEvents: number;
}

/**
 * Returns the state that is expected after a write: all changes and one audit event, or neither.
 */
export const expectedState = (
  { unaudited }: Pick<CrashOperation, 'unaudited'>,
  effects: Record<string, boolean>,
  happened: boolean,
): WriteState => ({
  effects: Object.fromEntries(Object.keys(effects).map((name) => [name, happened])),
  auditEvents: happened && unaudited !== true ? 1 : 0,
});

/** Reads the visible effects of a write. */
export async function readWriteState(
  manager: TestManager,
  { effects }: PreparedWrite,
  requestId: string,
): Promise<WriteState> {
  const rows = await manager.sql('SELECT FROM audit_events WHERE request_id = $1', [requestId]);
  return { effects: await effects(), auditEvents: rows.length };
}

/** Waits until Postgres has finished the commits that killed processes had sent. */
export async function waitForPendingTransactions(manager: TestManager): Promise<void> {
  const busy = () =>
    manager.sql(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query IN ('COMMIT', 'ROLLBACK')`,
    );
  while ((await busy()).length > 0) await sleep(5);
}
