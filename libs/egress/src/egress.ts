import { Agent, type Dispatcher, fetch as undiciFetch } from 'undici';
import { limitBytes } from './body-limit.ts';
import { createConnector, type TlsSettings } from './dialer.ts';
import { EgressRefusalError } from './egress-refusal.ts';
import { getNextHop } from './redirect.ts';
import { resolveHostname, type HostnameResolver } from './resolve.ts';
import { type Permission, checkUrl, readTarget } from './target.ts';

/** Limits of an outgoing call. Times are milliseconds, sizes are bytes after decompression. */
export interface EgressLimits {
  readonly connectTimeoutMs: number;
  /** Until the first byte of the response. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of a response; 0 sets no limit. */
  readonly bodyTimeoutMs: number;
  /** Of one response. A long-lived event stream needs a high limit. */
  readonly maxResponseBytes: number;
  readonly maxRedirects: number;
}

/** The limits of a call unless its caller sets others. */
export const DEFAULT_LIMITS: EgressLimits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 60_000,
  maxResponseBytes: 16 * 1024 * 1024,
  maxRedirects: 3,
};

/** Outgoing calls under one permission, and their connections. */
export interface Egress {
  /**
   * Checks each target and each redirect. Rejects with an `EgressRefusalError`, perhaps as a cause.
   */
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * For clients of undici. Checks each dial as `fetch` does; a refused call fails with an
   * `EgressRefusalError` as a cause (see `findRefusal`). Redirects are not followed unless the
   * client composes them, and each redirect target is checked when it is dialed. `maxResponseBytes`
   * limits the response before decompression.
   */
  readonly dispatcher: Dispatcher;
  /** Closes all connections at once; calls in flight fail. */
  close(): Promise<void>;
}

/** The options of an egress. */
export interface EgressOptions {
  readonly limits?: Partial<EgressLimits>;
  readonly resolve?: HostnameResolver;
  /** Certificates of authorities in PEM that are trusted beside those of the system. */
  readonly certificates?: string | undefined;
  readonly tls?: TlsSettings | undefined;
}

/**
 * Opens an egress for one permission. Every dial resolves the name again, checks each address and
 * connects to a checked address. Two egresses never share a connection.
 */
export function openEgress(
  permission: Permission,
  { limits = {}, resolve = resolveHostname, certificates, tls }: EgressOptions = {},
): Egress {
  const { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs, maxResponseBytes, maxRedirects } = {
    ...DEFAULT_LIMITS,
    ...limits,
  };
  const options: Agent.Options = {
    connect: createConnector(permission, resolve, connectTimeoutMs, certificates, tls),
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxHeaderSize: 32 * 1024,
  };
  const fetchAgent = new Agent(options);
  const dispatcher = new Agent({ ...options, maxResponseSize: maxResponseBytes });

  const follow = async (input: string | URL, init: RequestInit): Promise<Response> => {
    let hop = { url: readTarget(String(input)), init };
    for (let redirects = 0; ; redirects += 1) {
      checkUrl(hop.url, permission);
      const response = await undiciFetch(hop.url, {
        ...(hop.init as object),
        redirect: 'manual',
        dispatcher: fetchAgent,
      });
      const next = getNextHop(hop, response.status, response.headers.get('location'));
      if (next === undefined)
        return toResponse(
          response.status,
          response.statusText,
          [...response.headers],
          limitBytes(response.body, maxResponseBytes),
        );
      await response.body?.cancel();
      if (redirects >= maxRedirects) throw new EgressRefusalError('redirect', `more than ${maxRedirects} redirects`);
      hop = next;
    }
  };

  return {
    fetch: (input, init = {}) => follow(input, init),
    dispatcher,
    close: async () => {
      await Promise.all([fetchAgent.destroy(), dispatcher.destroy()]);
    },
  };
}

/** Converts a response of undici to a Response of the platform. 204, 205 and 304 have no body. */
function toResponse(
  status: number,
  statusText: string,
  headers: [string, string][],
  body: ReadableStream<Uint8Array> | null,
): Response {
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : body, { status, statusText, headers });
}
