import { type AddressClass, classifyAddress } from './address.ts';
import { EgressRefusalError } from './egress-refusal.ts';

/**
 * The permission of an administrator for an endpoint. It covers only the authority of the endpoint
 * (host and port). A redirect, a document or a token endpoint at another authority is checked
 * without it.
 */
export interface Permission {
  /** `host:port` as `getAuthority` writes it. */
  readonly authority: string;
  readonly allowPrivateIps: boolean;
  /** Setting of the deployment. Loopback needs this and `allowPrivateIps`. */
  readonly allowLoopback: boolean;
  /** Whether plain http is permitted for a public address of the authority; default false. */
  readonly allowHttp?: boolean;
}

/** No permission: public addresses over https only. */
export const PUBLIC_ONLY: Permission = { authority: '', allowPrivateIps: false, allowLoopback: false };

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Ports of other protocols, where a server could read a request as commands: the blocked ports of
 * the Fetch standard from 20 on (`explainDial` knows the lower ones), and control ports without
 * authentication (Docker, Redis, memcached, etcd, kubelet).
 */
const FOREIGN_PORTS: ReadonlySet<string> = new Set(
  `20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513
   514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679
   6697 10080 2375 2376 2379 2380 6379 10250 10255 11211`.split(/\s+/),
);

/**
 * The authority of a URL in permissions and messages: lower-case host without a trailing dot, IPv6
 * in brackets, and the dialled port.
 */
export function getAuthority(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? '') : url.port}`;
}

/** The host of a URL without the brackets of IPv6 and without a trailing dot. */
export function getHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Reads the URL of an outgoing call. The URL parser turns decimal, octal, hexadecimal and shortened
 * IPv4 hosts, and look-alike dots, into plain addresses, so the checked host is the dialed host.
 *
 * @throws EgressRefusalError `malformed` for anything but an http or https URL without user info
 * and fragment
 */
export function readTarget(text: string): URL {
  if (/[\s\p{Cc}\\]/u.test(text))
    throw createMalformedRefusal('must not hold blanks, control characters or backslashes');
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw createMalformedRefusal('is not a URL; write it like https://host.example.com/path', cause);
  }
  if (!(url.protocol in DEFAULT_PORTS)) throw createMalformedRefusal('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw createMalformedRefusal('must not carry a user name or password');
  if (text.includes('#')) throw createMalformedRefusal('must not have a fragment');
  if (getHost(url) === '' || url.port === '0')
    throw createMalformedRefusal('must name a host and a port that can be dialled');
  if (FOREIGN_PORTS.has(url.port))
    throw createMalformedRefusal(`must not name port ${url.port}, where another protocol is at home`);
  return url;
}

/** Whether a permission covers the authority of a URL. */
export function isCovered(permission: Permission, url: URL): boolean {
  return permission.allowPrivateIps && permission.authority === getAuthority(url);
}

/**
 * Checks a URL without DNS: the scheme, and a host that is an address.
 *
 * @throws EgressRefusalError `insecure` or `address`
 */
export function checkUrl(url: URL, permission: Permission): void {
  const mayUseHttp =
    isCovered(permission, url) || (permission.allowHttp === true && permission.authority === getAuthority(url));
  if (url.protocol === 'http:' && !mayUseHttp)
    throw new EgressRefusalError(
      'insecure',
      `${getAuthority(url)} must be called over https unless private addresses are allowed for it`,
    );
  const host = getHost(url);
  if (isAddress(url)) checkAddress(host, url, permission);
}

/**
 * Checks one address before it is dialed.
 *
 * @throws EgressRefusalError `address`, with a sentence that names the missing permission, if one
 * exists
 */
export function checkAddress(address: string, url: URL, permission: Permission): void {
  const kind = classifyAddress(address);
  if (kind === 'public') return;
  const covered = isCovered(permission, url);
  if (kind === 'private' && covered) return;
  if (kind === 'loopback' && covered && permission.allowLoopback) return;
  throw new EgressRefusalError('address', createSentence(kind, getAuthority(url), covered));
}

/** Whether the host of a URL is an IP address. */
export function isAddress(url: URL): boolean {
  return url.hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(getHost(url));
}

function createSentence(kind: AddressClass, authority: string, covered: boolean): string {
  if (kind === 'private') return `${authority} is a private address; allow private addresses to use it`;
  if (kind === 'loopback')
    return covered
      ? `${authority} is this machine itself, which this deployment does not allow`
      : `${authority} is this machine itself; private addresses must be allowed, and the deployment must allow loopback`;
  return `${authority} is a link-local, metadata or reserved address, which is never called`;
}

function createMalformedRefusal(message: string, cause?: unknown): EgressRefusalError {
  return new EgressRefusalError('malformed', message, cause);
}
