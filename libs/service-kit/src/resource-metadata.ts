const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Where the metadata of a protected resource lies: the well-known part stands between the host and the resource's own path (RFC 9728 §3.1).
 * @param resource absolute URL without a slash at the end
 */
export function resourceMetadataUrl(resource: string): string {
  if (!URL.canParse(resource)) return WELL_KNOWN;
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}
