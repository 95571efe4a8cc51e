/** The values of `--offline-access`. `auto` requests the scope when the provider lists it. */
export const OFFLINE_ACCESS_CHOICES = ['auto', 'always', 'never'] as const;

/** When the scope `offline_access` (OpenID Connect Core, section 11) is requested. */
export type OfflineAccess = (typeof OFFLINE_ACCESS_CHOICES)[number];

const OFFLINE_ACCESS = 'offline_access';

/**
 * The scopes to request. A provider that does not list `offline_access` in its metadata may reject
 * a request with it (Google does), so it is omitted then unless the user forces it.
 * @param wanted the manager's scopes
 * @param offered `scopes_supported` of the provider's metadata
 */
export function selectScopes(
  wanted: readonly string[],
  offered: readonly string[] | undefined,
  offlineAccess: OfflineAccess,
): string {
  const others = wanted.filter((scope) => scope !== OFFLINE_ACCESS);
  const isOffered = wanted.includes(OFFLINE_ACCESS) && offered?.includes(OFFLINE_ACCESS) === true;
  const isAsked = offlineAccess === 'always' || (offlineAccess === 'auto' && isOffered);
  return [...others, ...(isAsked ? [OFFLINE_ACCESS] : [])].join(' ');
}
