const MAX_LENGTH = 512;

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that a browser or the system opens itself, so that no client can own them. */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'sms:',
  'ssh:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

/** A redirect URI of a program on the user's machine, or of a web application. */
export type RedirectKind = 'loopback' | 'private-use' | 'https';

/**
 * Classifies a redirect URI (RFC 8252, sections 7.1 to 7.3; RFC 9700, section 2.1): https, http at
 * a loopback host, or a private-use scheme.
 * @returns undefined for any other, and for one that clients and servers may read differently
 */
export function classifyRedirectUri(uri: unknown): RedirectKind | undefined {
  if (typeof uri !== 'string' || uri.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(uri)) return undefined;
  // A browser reads a backslash as a slash, and everything after `#` is not sent.
  if (/[\\#"<>^`{|}]/.test(uri)) return undefined;
  const url = URL.parse(uri);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return isUsualAuthority(uri, url) ? 'https' : undefined;
  if (url.protocol === 'http:')
    return LOOPBACK_HOSTS.has(url.hostname) && isUsualAuthority(uri, url) ? 'loopback' : undefined;
  return FOREIGN_SCHEMES.has(url.protocol) ? undefined : 'private-use';
}

/** Whether the URI names its host as a parser writes it, so that all parsers read the same host. */
const isUsualAuthority = (uri: string, { protocol, host, hostname }: URL): boolean => {
  const authority = uri.slice(protocol.length + 2).split(/[/?]/, 1)[0];
  const isWritten = authority === host || authority === `${hostname}:443` || authority === `${hostname}:80`;
  return isWritten && uri.startsWith(`${protocol}//`) && hostname !== '' && !hostname.endsWith('.');
};
