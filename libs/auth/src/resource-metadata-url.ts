/** Path of the metadata of a protected resource that is an origin (RFC 9728 §3). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * The address of the metadata of a protected resource: the well-known path stands between the host
 * and the path of the resource (RFC 9728 §3.1).
 * @param resource absolute URL without a trailing slash
 */
export function getResourceMetadataUrl(resource: string): string {
  if (!URL.canParse(resource)) return RESOURCE_METADATA_PATH;
  const { origin, pathname } = new URL(resource);
  return `${origin}${RESOURCE_METADATA_PATH}${pathname === '/' ? '' : pathname}`;
}
