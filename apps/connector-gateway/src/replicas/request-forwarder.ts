import { type Egress, openEgress } from '@gatehouse/egress/egress';
import { getAuthority } from '@gatehouse/egress/target';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ForwardedRequest } from '../mcp/ports/replicas.ts';
import { SignatureHeader, signRequest } from './replica-signature.ts';

/** The path of forwarded requests on the listener of a replica. */
export const FORWARDED_PATH = '/forwarded-requests';

const CONNECT_MS = 2_000;

/** A stream may be silent for long, and a response may take as long as its call. */
const NO_LIMIT = 0;

/** Headers of a response that the client gets. */
const PASSED_HEADERS = ['content-type', 'content-length', 'cache-control', 'x-accel-buffering', 'retry-after'] as const;

/** Another replica does not accept the signature of this one. */
export class ReplicaRefusalError extends GatehouseError {
  override readonly code = 'replica_refused';
  constructor(url: string) {
    super(`${url} refused the signature: give all replicas the same REPLICA_KEY, and set their clocks`);
  }
}

/** Sends requests of clients to other replicas. */
export class RequestForwarder {
  /** The connections to each replica, by its address. */
  private readonly connections = new Map<string, Egress>();

  constructor(private readonly key: string) {}

  /**
   * Sends a request to a replica and its response to the client. The response ends with the one of
   * the replica, and a client that disconnects ends the request.
   * @returns false if the replica could not be reached
   * @throws ReplicaRefusalError for another key, or clocks that differ by more than a minute
   */
  async forward(url: string, forwarded: ForwardedRequest, response: ServerResponse): Promise<boolean> {
    const ended = new AbortController();
    const end = () => ended.abort();
    response.once('close', end);
    try {
      const answer = await this.send(url, Buffer.from(JSON.stringify(forwarded)), ended.signal);
      if (answer.status === 401) throw new ReplicaRefusalError(url);
      const headers = PASSED_HEADERS.flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(headers));
      response.flushHeaders();
      await pass(answer.body, response, ended.signal);
      return true;
    } catch (error) {
      if (ended.signal.aborted) return true;
      if (!response.headersSent && isUnreachable(error)) return false;
      throw error;
    } finally {
      response.off('close', end);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections.values()].map((egress) => egress.close()));
  }

  private send(url: string, body: Buffer, signal: AbortSignal): Promise<Response> {
    const target = new URL(`${url}${FORWARDED_PATH}`);
    const signed = { method: 'POST', path: target.pathname, body, time: Date.now(), nonce: randomUUID() };
    return this.open(target).fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SignatureHeader.time]: String(signed.time),
        [SignatureHeader.nonce]: signed.nonce,
        [SignatureHeader.signature]: signRequest(this.key, signed),
      },
      body,
      signal,
    });
  }

  private open(target: URL): Egress {
    const authority = getAuthority(target);
    let egress = this.connections.get(authority);
    if (egress === undefined) {
      egress = openEgress(
        { authority, allowPrivateIps: true, allowLoopback: true },
        {
          limits: {
            connectTimeoutMs: CONNECT_MS,
            headersTimeoutMs: NO_LIMIT,
            bodyTimeoutMs: NO_LIMIT,
            maxResponseBytes: Number.MAX_SAFE_INTEGER,
          },
        },
      );
      this.connections.set(authority, egress);
    }
    return egress;
  }
}

/**
 * Passes a body on at the pace of the client. A replica that stops breaks the response of the
 * client, which then resumes its stream.
 */
async function pass(body: Response['body'], response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    for await (const chunk of body ?? []) if (!response.write(chunk)) await once(response, 'drain', { signal });
    response.end();
  } catch {
    response.destroy();
  }
}

const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether no connection was made. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && UNREACHABLE.has(error.code)) || isUnreachable(error.cause);
}
