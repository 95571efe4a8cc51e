/** Parses the URL of the upstream. */
import { ProxyOptionError } from '../pipeline/option-error.ts';

/** The parsed URL of an upstream. */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  /** Whether the URL has a path: a remote server, which gets no forwarding headers. */
  remote: boolean;
  /** Returns path and query of the upstream request for those of the client's request. */
  getPath(requestTarget: string): string;
}

/**
 * Parses the upstream URL.
 * @throws {ProxyOptionError} when it is not an http(s) URL or contains credentials.
 */
export function parseTarget(url: string, isRemote = false): Target {
  if (!URL.canParse(url)) throw new ProxyOptionError('upstream.url', `"${url}" is not a URL.`);
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new ProxyOptionError('upstream.url', 'The URL of the server must begin with http:// or https://.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ProxyOptionError(
      'upstream.url',
      'The URL of the server must not contain credentials; set an Authorization header instead.',
    );
  }
  const own = parsed.search.slice(1);
  const { origin, pathname } = parsed;
  if (pathname === '/' && own === '') return { origin, remote: isRemote, getPath: (requestTarget) => requestTarget };
  return {
    origin,
    remote: isRemote || pathname !== '/',
    getPath(requestTarget) {
      const queryStart = requestTarget.indexOf('?');
      const path =
        pathname === '/' ? (queryStart === -1 ? requestTarget : requestTarget.slice(0, queryStart)) : pathname;
      const query = queryStart === -1 ? '' : requestTarget.slice(queryStart + 1);
      const joined = own === '' || query === '' ? own + query : `${own}&${query}`;
      return joined === '' ? path : `${path}?${joined}`;
    },
  };
}
