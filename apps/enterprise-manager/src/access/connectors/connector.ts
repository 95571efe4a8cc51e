/** The transport of an upstream: streamable HTTP of MCP, or the older HTTP with SSE. */
export type Transport = 'streamable-http' | 'sse';

/**
 * `draft` until it is published, then the outcome of the endpoint check. Users see only `available`
 * connectors.
 */
export type ConnectorStatus = 'draft' | 'available' | 'failure';

/** The location of the server: the cluster of the gateway, or elsewhere. */
export type DeploymentMode = 'kubernetes' | 'proxy_remote';

/** The way in which the connector was created. */
export type Origin = 'manual' | 'kubernetes_cluster' | 'custom_registry' | 'gatehouse_registry';

const SLUG_LENGTH = 24;

/**
 * Derives a slug from a name: at most 24 characters of `[a-z0-9-]`, without accents, never empty.
 * It has no underscores, so that `<slug>__<tool>` can be split.
 */
export function deriveSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return trimHyphens(plain.replace(/^-+/, '').slice(0, SLUG_LENGTH)) || 'connector';
}

/**
 * Returns the first free slug of `slug`, `slug-2`, `slug-3`, …; shortens the stem to keep the limit
 * of 24 characters.
 */
export function findFreeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = `${trimHyphens(slug.slice(0, SLUG_LENGTH - suffix.length))}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function trimHyphens(text: string): string {
  return text.replace(/-+$/, '');
}

/**
 * Returns `kubernetes` for the address of a Service (`<service>.<namespace>.svc`, with or without
 * the domain of the cluster).
 */
export function deriveDeploymentMode(endpoint: URL): DeploymentMode {
  const host = endpoint.hostname.replace(/\.$/, '');
  return /^([a-z0-9-]+\.){2,}svc(\.[a-z0-9.-]+)?$/.test(host) ? 'kubernetes' : 'proxy_remote';
}
