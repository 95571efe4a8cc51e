/**
 * Selects the headers of the upstream request. Drops hop-by-hop headers and those that `Connection`
 * lists (RFC 9110, section 7.6.1). Replaces the forwarding headers of the client.
 */
import { Header } from '@gatehouse/mcp/headers';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { type Exchange, refuse } from '../pipeline/exchange.ts';
import { ProxyOptionError } from '../pipeline/option-error.ts';
import type { ProxyLogLine, UpstreamTokens } from '../pipeline/options.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';

/** Hop-by-hop headers. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Request headers that are never forwarded. The upstream connection has its own framing and Host;
 * Node has answered Expect.
 */
const DROPPED_HEADERS = new Set([...HOP_BY_HOP, ...FORWARDING_HEADERS, 'host', 'content-length', 'expect']);

/** Headers of an earlier proxy; they are forwarded only with `trustProxyHeaders`. */
const UNTRUSTED_HEADERS = ['x-forwarded-port', 'x-forwarded-prefix'];

/** Digests of the body (RFC 9530, RFC 3230), which a changed body does not have. */
const DIGEST_HEADERS: ReadonlySet<string> = new Set(['content-digest', 'repr-digest', 'digest', 'content-md5']);

/** Headers of pages on this machine, which a third party must not see: cookies have no port. */
const LOCAL_HEADERS = ['cookie', 'origin', 'referer'];

/** Headers that the options may not set. */
const FORBIDDEN_HEADERS = new Set([...HOP_BY_HOP, ...FORWARDING_HEADERS, 'host', 'content-length']);

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether options can set a header of the requests to the server. */
export const isSettableHeader = (name: string): boolean =>
  TOKEN.test(name) && !FORBIDDEN_HEADERS.has(name.toLowerCase());

/** Response headers that are never forwarded. */
export const DROPPED_RESPONSE_HEADERS: ReadonlySet<string> = new Set(HOP_BY_HOP);

/** Parses `Connection`; returns undefined for the values `keep-alive` and `close`. */
export function parseConnectionOptions(value: string | undefined): ReadonlySet<string> | undefined {
  if (value === undefined || value === 'keep-alive' || value === 'close') return undefined;
  return new Set(value.split(',').map((name) => name.trim().toLowerCase()));
}

/**
 * Builds the headers of the upstream request. A `remote` server gets no forwarding headers, because
 * it is a third party.
 */
export function createForwardHeadersPass(options: {
  set: Readonly<Record<string, string>>;
  trustProxyHeaders: boolean;
  remote: boolean;
  tokens?: UpstreamTokens | undefined;
  log?: (line: ProxyLogLine) => void;
}): Pass {
  const { trustProxyHeaders, remote, tokens } = options;
  const untrusted = trustProxyHeaders && !remote ? [] : UNTRUSTED_HEADERS;
  const dropped = new Set([...DROPPED_HEADERS, ...untrusted, ...(remote ? LOCAL_HEADERS : [])]);
  const fixed: string[] = [];
  for (const [name, value] of Object.entries(options.set)) {
    if (!isSettableHeader(name)) {
      throw new ProxyOptionError('upstream.headers', `The header "${name}" cannot be set on requests to the server.`);
    }
    // The message omits the value, which can be a secret.
    if (!VALUE.test(value))
      throw new ProxyOptionError('upstream.headers', `The value of the header "${name}" has control characters.`);
    fixed.push(name.toLowerCase(), value);
  }
  const replaced = new Set(fixed.filter((_, at) => at % 2 === 0));
  if (tokens !== undefined) replaced.add('authorization');
  return {
    name: 'forward-headers',
    enter(exchange) {
      const { request } = exchange;
      const raw = request.rawHeaders;
      const named = parseConnectionOptions(request.headers.connection);
      const changes = exchange.headerChanges;
      const headers: string[] = [];
      // A compressed answer could not be read.
      const isRead = exchange.readers !== undefined || exchange.streamBody !== undefined;
      for (let at = 0; at < raw.length; at += 2) {
        const name = (raw[at] ?? '').toLowerCase();
        if (dropped.has(name) || named?.has(name) === true || replaced.has(name)) continue;
        if (changes?.has(name) === true) continue;
        if (exchange.dropSessionHeader && name === Header.sessionId) continue;
        if (isRead && name === 'accept-encoding') continue;
        if (exchange.isChanged && DIGEST_HEADERS.has(name)) continue;
        if (exchange.mirroredName !== undefined && name === Header.name) headers.push(name, exchange.mirroredName);
        else headers.push(name, raw[at + 1] ?? '');
      }
      if (isRead) headers.push('accept-encoding', 'identity');
      if (!remote) addForwarded(exchange, headers, trustProxyHeaders);
      for (const [name, value] of changes ?? [])
        if (value !== undefined && !replaced.has(name)) headers.push(name, value);
      for (const part of fixed) headers.push(part);
      exchange.upstreamHeaders = headers;
      return tokens === undefined ? 'next' : addToken(exchange, tokens, options.log);
    },
  };
}

/** Adds the token of the proxy. It waits only for a token that must be renewed. */
function addToken(
  exchange: Exchange,
  tokens: UpstreamTokens,
  log: ((line: ProxyLogLine) => void) | undefined,
): PassResult | Promise<PassResult> {
  const set = (token: string): PassResult => {
    exchange.upstreamHeaders.push('authorization', `Bearer ${token}`);
    let isRenewed = false;
    exchange.upstreamToken = {
      requireScopes: tokens.requireScopes?.bind(tokens),
      renew: async () => {
        tokens.reject(token);
        const next = await tokens.get();
        if (isRenewed || next === token) return false;
        isRenewed = true;
        // Other passes may have removed headers before it.
        const at = exchange.upstreamHeaders.lastIndexOf(`Bearer ${token}`);
        exchange.upstreamHeaders[at] = `Bearer ${next}`;
        return true;
      },
    };
    return 'next';
  };
  const fail = (cause: unknown): PassResult => {
    log?.({ level: 'warn', message: 'A request was not sent, because the proxy has no token for the server.', cause });
    refuseWithoutToken(exchange);
    return 'done';
  };
  const token = tokens.get();
  return typeof token === 'string' ? set(token) : token.then(set, fail);
}

/** Answers where the proxy has no token. With a 401, clients would sign in at the server. */
export function refuseWithoutToken({ response }: Exchange): void {
  const message = 'The proxy is not signed in to the MCP server; its status says how to sign in again.';
  refuse(response, 503, ErrorCode.internalError, message, undefined, { 'retry-after': '10' });
}

function addForwarded({ request }: Exchange, headers: string[], trust: boolean): void {
  const client = request.socket.remoteAddress ?? 'unknown';
  const before = trust ? request.headers['x-forwarded-for'] : undefined;
  const host = (trust && getFirstValue(request.headers['x-forwarded-host'])) || request.headers.host;
  const proto = (trust && getFirstValue(request.headers['x-forwarded-proto'])) || 'http';
  headers.push(
    'x-forwarded-for',
    before === undefined ? client : `${String(before)}, ${client}`,
    'x-forwarded-proto',
    proto,
  );
  if (host !== undefined) headers.push('x-forwarded-host', host);
}

function getFirstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
