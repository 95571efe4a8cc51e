import { randomUUID } from 'node:crypto';
import { freePort } from '@gatehouse/testing/ports';
import { type PostgresWire, startPostgresWire } from '@gatehouse/testing/postgres-wire';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { environmentOf, type TestManager } from './enterprise-manager.ts';

/** What a request to a replica says. */
export interface ReplicaCall {
  method: string;
  path: string;
  token: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What a replica answered. */
export interface ReplicaAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/**
 * The built service as a process on a port of its own, with the database and the issuer of a test.
 */
export interface Replica {
  readonly url: string;
  readonly process: TestProcess;
  /** What lies between it and its database, for replicas that were started with `wired`. */
  readonly wire: PostgresWire | undefined;
  /** Sends a request. @throws where no whole answer comes, as from a killed process */
  call(request: ReplicaCall): Promise<ReplicaAnswer>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

/** How a replica differs from the usual one. */
interface ReplicaRequest {
  /** Puts a wire between it and its database that sees statements pass. */
  wired?: true;
  /** Whether to return before it is ready. */
  unready?: true;
  /** Settings on top of the usual ones. */
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
      ...environmentOf(issuer, { ...database, ...(wire && { url: wire.url }) }),
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

/** Sends a request to whoever listens at an address. @throws where no whole answer comes */
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
