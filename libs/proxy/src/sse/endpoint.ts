/** The event `endpoint` of the HTTP+SSE transport (MCP 2024-11-05): where a client posts. */
import type { IncomingHttpHeaders } from 'node:http';
import { ForeignEndpointError } from '../pipeline/foreign-endpoint-error.ts';
import { ProxyOptionError } from '../pipeline/option-error.ts';

/** The path of this proxy to which clients of an SSE stream post. */
const MESSAGES_PATH = '/messages';
/** The parameter that names the session. Its value is an id of this proxy. */
const SESSION_PARAMETER = 'sessionId';

/** The path of the reverse proxy in front that it takes off requests. */
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;
const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Resolves the endpoint that a server has announced.
 * @param base the URL of its stream
 * @param isRemote whether the server is of a third party; others can know themselves by a loopback
 * name or by all addresses
 * @returns path and query at the server
 * @throws ForeignEndpointError for another host: messages of clients must not go there
 */
export function resolveEndpoint(announced: string, base: URL, isRemote: boolean): string {
  const url = URL.parse(announced.trim(), base.href);
  const isOwn =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    (url.origin === base.origin || (!isRemote && url.protocol === base.protocol && OWN_HOST.test(url.hostname)));
  if (!isOwn) throw new ForeignEndpointError('The MCP server announced an endpoint on another host.');
  return url.pathname + url.search;
}

/** How clients reach the endpoint of this proxy. */
export interface EndpointOptions {
  /** The path that a reverse proxy in front takes off; empty: none. It wins over headers. */
  readonly prefix: string;
  /** Whether X-Forwarded-Prefix, -Host, -Port and -Proto of the request are believed. */
  readonly trustProxyHeaders: boolean;
}

/**
 * Writes the endpoint of a session for its client: a path, which belongs to the address that the
 * client uses, or a URL with the host that a trusted reverse proxy names.
 */
export function formatEndpoint(
  session: string,
  headers: IncomingHttpHeaders,
  { prefix, trustProxyHeaders }: EndpointOptions,
): string {
  const query = `?${SESSION_PARAMETER}=${session}`;
  if (!trustProxyHeaders) return prefix + MESSAGES_PATH + query;
  const path = (prefix || readForwardedPrefix(headers)) + MESSAGES_PATH + query;
  const host = getFirst(headers['x-forwarded-host']);
  if (host === undefined || !HOST.test(host)) return path;
  const port = getFirst(headers['x-forwarded-port']);
  const isPort = port !== undefined && /^\d{1,5}$/.test(port);
  const scheme = getFirst(headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${isPort ? `${host.replace(/:\d+$/, '')}:${port}` : host}${path}`;
}

/** Whether the path is the endpoint of clients, also where no reverse proxy took the prefix off. */
export function isEndpointPath(path: string, prefix: string): boolean {
  return path === MESSAGES_PATH || (prefix !== '' && path === prefix + MESSAGES_PATH);
}

/** Reads the session of a request to the endpoint; undefined: it has none, or several. */
export function readSessionId(target: string): string | undefined {
  const queryStart = target.indexOf('?');
  if (queryStart === -1) return undefined;
  const ids = new URLSearchParams(target.slice(queryStart + 1)).getAll(SESSION_PARAMETER);
  return ids.length === 1 && ids[0] !== '' ? ids[0] : undefined;
}

/** Checks a prefix and takes its last slash off. @throws ProxyOptionError */
export function parsePrefix(prefix: string): string {
  const trimmed = prefix.replace(/\/$/, '');
  if (trimmed === '' || isPrefix(trimmed)) return trimmed;
  throw new ProxyOptionError('endpointPrefix', `"${prefix}" is not a path such as /tools.`);
}

const isPrefix = (text: string): boolean =>
  PREFIX.test(text) && !text.split('/').some((segment) => segment === '.' || segment === '..');

/** Proxies that know only the whole path of the stream send it with its last segment. */
function readForwardedPrefix(headers: IncomingHttpHeaders): string {
  const prefix = getFirst(headers['x-forwarded-prefix'])
    ?.replace(/\/$/, '')
    .replace(/\/sse$/, '');
  return prefix !== undefined && isPrefix(prefix) ? prefix : '';
}

/** The first of several values is of the proxy that is next to the client. */
function getFirst(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.split(',')[0]?.trim();
}
