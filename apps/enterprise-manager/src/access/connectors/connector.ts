/** How an upstream speaks: MCP's streamable HTTP, or the older HTTP with server-sent events. */
export type Transport = 'streamable-http' | 'sse';

/**
 * `draft` until published; then what the check of the endpoint said. Only an `available` connector
 * reaches people.
 */
export type ConnectorStatus = 'draft' | 'available' | 'failure';

/** Where the server runs: in the cluster of the gateway, or anywhere else. */
export type DeploymentMode = 'kubernetes' | 'proxy_remote';

/** How the connector came to be. */
export type Origin = 'manual' | 'kubernetes_cluster' | 'custom_registry' | 'gatehouse_registry';

const SLUG_LENGTH = 24;

/**
 * The slug that a name asks for: at most 24 characters of `[a-z0-9-]`, accents dropped, never
 * empty. Without underscores it stays apart from the tool that follows it (`<slug>__<tool>`).
 */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return trimmed(plain.replace(/^-+/, '').slice(0, SLUG_LENGTH)) || 'connector';
}

/**
 * The first of `slug`, `slug-2`, `slug-3`, … that is not taken; the stem gives way so that 24
 * characters are never passed.
 */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = `${trimmed(slug.slice(0, SLUG_LENGTH - suffix.length))}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function trimmed(text: string): string {
  return text.replace(/-+$/, '');
}

/**
 * `kubernetes` for a Service address of the cluster (`<service>.<namespace>.svc`, with or without
 * the cluster's domain).
 */
export function deploymentModeOf(endpoint: URL): DeploymentMode {
  const host = endpoint.hostname.replace(/\.$/, '');
  return /^([a-z0-9-]+\.){2,}svc(\.[a-z0-9.-]+)?$/.test(host) ? 'kubernetes' : 'proxy_remote';
}
