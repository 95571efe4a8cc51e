import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a path takes forms of the provider's own pages: sign-in, consent, device codes and the
 * end of a session.
 * @param path see `comparedPath`
 */
export const isForm = (path: string): boolean => /^\/(?:interaction\/|device(?:$|\/)|session\/end\/)/.test(path);

/**
 * Whether a page of another address sent a form. Cookies are shared by all ports of a host, so a
 * page of any other port of this machine sends those of the provider along. Browsers say where a
 * form is from (Fetch Metadata, section 2.4); older ones name the origin alone.
 * @param hosts host and port of the provider's own addresses
 */
export function isForeignForm(headers: IncomingHttpHeaders, hosts: ReadonlySet<string>): boolean {
  const site = headers['sec-fetch-site'];
  // `none`: the person repeats the form, for example by loading the page again.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  // A page without referrer, as the provider's own are, sends its forms with the origin `null`.
  return origin !== undefined && origin !== 'null' && !hosts.has(URL.parse(origin)?.host ?? '');
}
