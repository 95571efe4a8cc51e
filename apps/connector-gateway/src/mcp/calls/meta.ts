import type { UnavailableList } from '../catalog/offers.ts';

const RESERVED_PREFIX = 'io.modelcontextprotocol/';

/** Members of `_meta` for one hop only. */
const SINGLE_HOP_MEMBERS = new Set(['progressToken']);

/**
 * Removes the protocol's reserved members of `_meta`. The gateway ends both connections, so neither
 * the client nor the upstream may set these members for it.
 */
export function removeReserved(meta: unknown): Record<string, unknown> | undefined {
  if (meta === null || typeof meta !== 'object' || Array.isArray(meta)) return undefined;
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith(RESERVED_PREFIX) && !SINGLE_HOP_MEMBERS.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A result or definition of an upstream without reserved `_meta` members. */
export function removeReservedMeta<T extends object>(value: T): T {
  const { _meta, ...rest } = value as T & { _meta?: unknown };
  const meta = removeReserved(_meta);
  return (meta === undefined ? rest : { ...rest, _meta: meta }) as unknown as T;
}

/** The `_meta` of a list that lacks connectors, or shows an old list of them; empty if complete. */
export const createUnavailableMeta = (unavailable: readonly UnavailableList[]): { _meta?: Record<string, unknown> } =>
  unavailable.length === 0 ? {} : { _meta: { 'gatehouse.dev/unavailable': unavailable } };
