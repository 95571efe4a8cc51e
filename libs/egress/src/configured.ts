import { type Egress, openEgress } from './egress.ts';
import { authorityOf, type Permission, PUBLIC_ONLY, readTarget } from './target.ts';

/**
 * Callers bring their own deadlines; a long poll is silent for most of a minute. Sizes are those of
 * snapshots and key sets.
 */
const LIMITS = {
  maxRedirects: 0,
  headersTimeoutMs: 120_000,
  bodyTimeoutMs: 120_000,
  maxResponseBytes: 256 * 1024 * 1024,
};

/**
 * A `fetch` for the services that a deployment's configuration names, such as issuers and the
 * enterprise manager. Whoever writes the configuration may point it at private addresses, at this
 * machine and at plain http; link-local and metadata addresses stay closed. Anything else that it
 * is asked for, such as a key set that an issuer names on another authority, must be public and
 * https. Redirects are refused.
 */
export function configuredFetch(addresses: readonly string[]): Egress['fetch'] {
  const permissions = new Map<string, Permission>(
    addresses
      .filter((text) => URL.canParse(text))
      .map((text) => {
        const authority = authorityOf(new URL(text));
        return [authority, { authority, allowPrivateIps: true, allowLoopback: true }];
      }),
  );
  const open = new Map<string, Egress>();
  return (input, init) => {
    const authority = authorityOf(readTarget(String(input)));
    const known = open.get(authority) ?? openEgress(permissions.get(authority) ?? PUBLIC_ONLY, { limits: LIMITS });
    // Only what the configuration names keeps its connections: others may be any number.
    if (permissions.has(authority)) open.set(authority, known);
    return known.fetch(input, init);
  };
}
