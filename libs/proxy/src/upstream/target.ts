/** Where requests go: the upstream's origin, and the path for each of them. */
import { ProxyOptionError } from '../pipeline/option-error.ts';

/** An upstream URL, taken apart once. */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  /**
   * True when the URL has a path of its own: a remote server, which must not learn where requests
   * come from.
   */
  remote: boolean;
  /** The path and query to ask for, given the request's own. */
  path(requestTarget: string): string;
}

/**
 * Reads the upstream URL; throws {@link ProxyOptionError} for what is no http(s) URL or carries
 * credentials.
 */
export function readTarget(url: string): Target {
  if (!URL.canParse(url)) throw new ProxyOptionError('upstream.url', `"${url}" is not a URL.`);
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new ProxyOptionError('upstream.url', 'The URL of the server must begin with http:// or https://.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ProxyOptionError('upstream.url', 'The URL of the server must not hold credentials.');
  }
  const own = parsed.search.slice(1);
  const { origin, pathname } = parsed;
  if (pathname === '/' && own === '') return { origin, remote: false, path: (requestTarget) => requestTarget };
  return {
    origin,
    remote: pathname !== '/',
    path(requestTarget) {
      const mark = requestTarget.indexOf('?');
      const path = pathname === '/' ? (mark === -1 ? requestTarget : requestTarget.slice(0, mark)) : pathname;
      const query = mark === -1 ? '' : requestTarget.slice(mark + 1);
      const joined = own === '' || query === '' ? own + query : `${own}&${query}`;
      return joined === '' ? path : `${path}?${joined}`;
    },
  };
}
