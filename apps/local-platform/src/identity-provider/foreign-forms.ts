import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a path receives forms of the provider: sign-in, consent, device codes and sign-out.
 * @param path see `normalizePath`
 */
export const isFormPath = (path: string): boolean => /^\/(?:interaction\/|device(?:$|\/)|session\/end\/)/.test(path);

/**
 * Whether a web page of another address sent a form. All ports of a host share cookies, so a page
 * on another port of this machine sends the provider's cookies. Browsers send the relation of the
 * page (Fetch Metadata, section 2.4); older ones send only the origin.
 * @param hosts host and port of the provider's own addresses
 */
export function isForeignForm(headers: IncomingHttpHeaders, hosts: ReadonlySet<string>): boolean {
  const site = headers['sec-fetch-site'];
  // `none`: the user repeats the form, for example with a reload.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  // The pages of the provider have no referrer, so browsers send the origin `null`.
  return origin !== undefined && origin !== 'null' && !hosts.has(URL.parse(origin)?.host ?? '');
}
