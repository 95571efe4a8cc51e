import type { Resource } from '@gatehouse/ai-resources/resource';
import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import type { CachedResources } from '@gatehouse/live-gateway/cached-resources';

/**
 * Writes a status for one version of a resource.
 * @throws ResourceStoreError `conflict` when the resource has another version, `not_found`
 */
export async function writeStatus<T extends Resource>(
  { store, cache }: CachedResources<T>,
  { metadata: { name, resourceVersion } }: T,
  status: T['status'],
  signal?: AbortSignal,
): Promise<T> {
  const written = await store.patch(name, { status }, { resourceVersion, subresource: 'status' }, signal);
  cache.put(written);
  return written;
}

/** Whether a write failed because the resource has another version or is gone. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ResourceStoreError && (error.code === 'conflict' || error.code === 'not_found');
