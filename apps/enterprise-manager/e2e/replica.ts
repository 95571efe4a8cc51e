import { randomUUID } from 'node:crypto';
import { freePort } from '@gatehouse/testing/ports';
import { type PostgresWire, startPostgresWire } from '@gatehouse/testing/postgres-wire';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { createEnvironment, type TestManager } from './enterprise-manager.ts';

/** A request to a replica. */
export interface ReplicaCall {
  method: string;
  path: string;
  token: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The response of a replica. */
export interface ReplicaAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/**
 * The built service as a process with its own port, and with the database and the issuer of a test.
 */
export interface Replica {
  readonly url: string;
  readonly process: TestProcess;
  /** The relay to the database, for replicas that were started with `wired`. */
  readonly wire: PostgresWire | undefined;
  /** Sends a request. @throws without a complete response, for example from a killed process */
  call(request: ReplicaCall): Promise<ReplicaAnswer>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

/** Options of a replica. */
interface ReplicaRequest {
  /** Puts a relay between the replica and its database that records the statements. */
  wired?: true;
  /** Returns before the replica is ready. */
  unready?: true;
  /** Additional settings. */
  environment?: Record<string, string>;
}

/** Starts a replica and waits until it is ready. */
export async function startReplica(
  { issuer, database, cluster }: Pick<TestManager, 'issuer' | 'database' | 'cluster'>,
  { wired, unready, environment }: ReplicaRequest = {},
): Promise<Replica> {
  const wire = wired && (await startPostgresWire(database.url));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    app: 'enterprise-manager',
    env: {
      ...createEnvironment(issuer, { ...database, ...(wire && { url: wire.url }) }),
      ...(cluster && { DISCOVERY_KUBERNETES_URL: cluster.url }),
      PORT: String(port),
      ...environment,
    },
    ...(unready ? {} : { readyUrl: `${url}/readyz`, readyTimeoutMs: 60_000 }),
  });
  return {
    url,
    process: running,
    wire,
    call: (request) => sendTo(url, request),
    kill: async () => {
      await running.killHard();
      await wire?.close();
    },
  };
}

/** Sends a request to a server. @throws without a complete response */
export async function sendTo(url: string, { method, path, token, body, headers }: ReplicaCall): Promise<ReplicaAnswer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-request-id': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: response.headers,
  };
}
