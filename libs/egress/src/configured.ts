import { type Egress, openEgress } from './egress.ts';
import { getAuthority, type Permission, PUBLIC_ONLY, readTarget } from './target.ts';

/** High enough for a long poll and for a gateway snapshot. Callers set their own deadlines. */
const LIMITS = {
  maxRedirects: 0,
  headersTimeoutMs: 120_000,
  bodyTimeoutMs: 120_000,
  maxResponseBytes: 256 * 1024 * 1024,
};

/**
 * Creates a `fetch` for the services that the configuration names, such as issuers and the
 * enterprise manager. Their authorities may be private, loopback and plain http, but not link-local
 * or metadata addresses. Every other authority, such as that of a key set which an issuer names,
 * must be public and https. Redirects are refused.
 */
export function createConfiguredFetch(addresses: readonly string[]): Egress['fetch'] {
  const permissions = new Map<string, Permission>(
    addresses
      .filter((text) => URL.canParse(text))
      .map((text) => {
        const authority = getAuthority(new URL(text));
        return [authority, { authority, allowPrivateIps: true, allowLoopback: true }];
      }),
  );
  const open = new Map<string, Egress>();
  return (input, init) => {
    const authority = getAuthority(readTarget(String(input)));
    const known = open.get(authority) ?? openEgress(permissions.get(authority) ?? PUBLIC_ONLY, { limits: LIMITS });
    // Only configured authorities keep connections: the number of others has no bound.
    if (permissions.has(authority)) open.set(authority, known);
    return known.fetch(input, init);
  };
}
