import { Agent, fetch as undiciFetch } from 'undici';
import { limitBytes } from './body-limit.ts';
import { judgedConnector } from './dialer.ts';
import { EgressRefusal } from './egress-refusal.ts';
import { nextHop } from './redirect.ts';
import { promptResolve, type Resolve } from './resolve.ts';
import { type Permission, judgeTarget, readTarget } from './target.ts';

/**
 * How long and how much an outgoing call may take. Times in milliseconds, sizes in bytes after
 * decompression.
 */
export interface EgressLimits {
  readonly connectTimeoutMs: number;
  /** Until the first byte of the answer. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of an answer; 0 lets a stream be silent for ever. */
  readonly bodyTimeoutMs: number;
  /** Of one answer; event streams count too, so a long-lived stream needs a generous one. */
  readonly maxResponseBytes: number;
  readonly maxRedirects: number;
}

/** What a call gets unless its caller says otherwise. */
export const DEFAULT_LIMITS: EgressLimits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 60_000,
  maxResponseBytes: 16 * 1024 * 1024,
  maxRedirects: 3,
};

/** A `fetch` that can only reach what its permission allows, and its connections. */
export interface Egress {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Ends all connections at once; calls in flight fail. */
  close(): Promise<void>;
}

/**
 * Opens a way out for one permission. Every dial of it, first or after a redirect, new or
 * reconnecting, resolves the name again, judges each address, and goes to an address that was
 * judged. Connections are never shared with another egress.
 *
 * Its `fetch` rejects with an `EgressRefusal` (perhaps wrapped: see `refusalIn`) when a rule says
 * no.
 */
export function openEgress(
  permission: Permission,
  { limits = {}, resolve = promptResolve }: { limits?: Partial<EgressLimits>; resolve?: Resolve } = {},
): Egress {
  const { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs, maxResponseBytes, maxRedirects } = {
    ...DEFAULT_LIMITS,
    ...limits,
  };
  const dispatcher = new Agent({
    connect: judgedConnector(permission, resolve, connectTimeoutMs),
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxHeaderSize: 32 * 1024,
  });

  const follow = async (input: string | URL, init: RequestInit): Promise<Response> => {
    let hop = { url: readTarget(String(input)), init };
    for (let redirects = 0; ; redirects += 1) {
      judgeTarget(hop.url, permission);
      const answer = await undiciFetch(hop.url, { ...(hop.init as object), redirect: 'manual', dispatcher });
      const next = nextHop(hop, answer.status, answer.headers.get('location'));
      if (next === undefined)
        return asResponse(
          answer.status,
          answer.statusText,
          [...answer.headers],
          limitBytes(answer.body, maxResponseBytes),
        );
      await answer.body?.cancel();
      if (redirects >= maxRedirects) throw new EgressRefusal('redirect', `more than ${maxRedirects} redirects`);
      hop = next;
    }
  };

  return {
    fetch: (input, init = {}) => follow(input, init),
    close: () => dispatcher.destroy(),
  };
}

/**
 * The platform's own Response, so that a client cannot tell the difference. 101, 204, 205 and 304
 * have no body.
 */
function asResponse(
  status: number,
  statusText: string,
  headers: [string, string][],
  body: ReadableStream<Uint8Array> | null,
): Response {
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : body, { status, statusText, headers });
}
