const RESERVED = 'io.modelcontextprotocol/';

/** Members of `_meta` that belong to one hop only. */
const HOP = new Set(['progressToken']);

/**
 * A `_meta` without what the protocol reserves for the two ends of one connection. The gateway is
 * an end of both its connections: what a client says of itself is not what the gateway says of
 * itself, and an upstream cannot speak for the gateway.
 */
export function withoutReserved(meta: unknown): Record<string, unknown> | undefined {
  if (meta === null || typeof meta !== 'object' || Array.isArray(meta)) return undefined;
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith(RESERVED) && !HOP.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A result or definition of an upstream as it may be passed on. */
export function cleaned<T extends object>(value: T): T {
  const { _meta, ...rest } = value as T & { _meta?: unknown };
  const meta = withoutReserved(_meta);
  return (meta === undefined ? rest : { ...rest, _meta: meta }) as unknown as T;
}
