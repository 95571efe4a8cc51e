/** Path of the metadata of a protected resource without a path of its own (RFC 9728 §3). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * Where the metadata of a protected resource lies: the well-known part stands between the host and
 * the resource's own path (RFC 9728 §3.1).
 * @param resource absolute URL without a slash at the end
 */
export function resourceMetadataUrl(resource: string): string {
  if (!URL.canParse(resource)) return RESOURCE_METADATA_PATH;
  const { origin, pathname } = new URL(resource);
  return `${origin}${RESOURCE_METADATA_PATH}${pathname === '/' ? '' : pathname}`;
}
