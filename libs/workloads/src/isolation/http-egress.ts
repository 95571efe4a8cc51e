import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { type Dialed, type Dialer, formatDestination } from './dialer.ts';
import { type Destination, normalizeHost } from './egress-policy.ts';
import { join, tunnel } from './tunnel.ts';

const MAX_HEADER_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 1_024;
/** Headers of one connection (RFC 9110, section 7.6.1); a proxy does not forward them. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A request whose target the proxy cannot accept: status and sentence of the answer. */
interface Rejection {
  readonly status: 400 | 403 | 502;
  readonly message: string;
}
type Target = (Destination & { readonly path: string }) | Rejection;

/**
 * Reads the target of a request: an absolute URL of a client that knows the proxy, else the Host
 * header of one that does not. A URL with another host than the Host header is refused.
 * @param port the port of a request without one
 */
export function readTarget({ url = '', headers, rawHeaders }: IncomingMessage, port: number): Target {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 0).filter((name) => name.toLowerCase() === 'host');
  if (hosts.length > 1) return { status: 400, message: 'the request has more than one Host header' };
  const named = headers.host === undefined ? undefined : parseAuthority(headers.host, port);
  if (headers.host !== undefined && named === undefined)
    return { status: 400, message: 'the Host header is not a host name' };
  if (url.startsWith('/') || url === '*')
    return named === undefined ? { status: 400, message: 'the request has no Host header' } : { ...named, path: url };
  const parsed = /^http:\/\/([^/?#]*)(.*)$/is.exec(url);
  if (!parsed) return { status: 400, message: 'the proxy takes http:// URLs, and CONNECT for all others' };
  const target = parseAuthority(parsed[1] ?? '', 80);
  if (target === undefined) return { status: 400, message: 'the URL has no valid host' };
  const expected = headers.host === undefined ? target : parseAuthority(headers.host, 80);
  if (target.host !== expected?.host || target.port !== expected.port)
    return { status: 400, message: 'the Host header is not the host of the URL' };
  const path = (parsed[2] ?? '').replace(/#.*$/s, '');
  return { ...target, path: path.startsWith('/') ? path : `/${path}` };
}

/** Parses `host[:port]`; undefined for other texts, such as those with user information. */
export function parseAuthority(text: string, defaultPort: number): Destination | undefined {
  const parsed = /^(\[[^\]]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/.exec(text);
  const host = normalizeHost(parsed?.[1] ?? '');
  const port = parsed?.[2] === undefined ? defaultPort : Number(parsed[2]);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

const explainDenial = (destination: Destination, rule: string): string =>
  `gatehouse does not let this server connect to ${formatDestination(destination)}: ${rule}\n`;

/** Returns the headers that the next hop gets. */
function forwardHeaders({ headers, rawHeaders }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const result: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const lower = name.toLowerCase();
    // Host and Content-Length cannot be made headers of the connection.
    const isKept = lower === 'host' || lower === 'content-length';
    if (!isKept && (CONNECTION_HEADERS.has(lower) || named.includes(lower))) continue;
    result.push(name, rawHeaders[at + 1] ?? '');
  }
  return result;
}

/**
 * Creates the HTTP proxy of a workload: a forward proxy with CONNECT, and a transparent one by the
 * Host header. Every request of a connection is checked, and is written anew on a connection of its
 * own to the address that was checked.
 * @param port the port of a request whose Host header has none
 */
export function createHttpEgress(dialer: Dialer, port: number): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 0,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    insecureHTTPParser: false,
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  const busy = new WeakSet<Socket>();
  server.on('request', (message, response) => {
    // A client sends its next request after the response. One that sends many at once could open
    // as many connections.
    if (busy.has(message.socket)) {
      message.socket.destroy();
      return;
    }
    busy.add(message.socket);
    response.once('finish', () => busy.delete(message.socket));
    forward(dialer, port, message, response).catch(() => message.socket.destroy());
  });
  server.on('connect', (message: IncomingMessage, client: Duplex, head: Buffer) => {
    openTunnel(dialer, message, client, head).catch(() => client.destroy());
  });
  server.on('upgrade', (message: IncomingMessage, client: Duplex, head: Buffer) => {
    upgrade(dialer, port, message, client, head).catch(() => client.destroy());
  });
  server.on('clientError', (_error, client) => endWith(client, 400, 'the request is not valid HTTP'));
  return server;
}

/** Opens the connection of a request. */
async function dialTarget(dialer: Dialer, target: Target): Promise<Socket | Rejection> {
  if ('status' in target) return target;
  const dialed: Dialed = await dialer.dial(target);
  if (dialed.kind === 'connected') return dialed.socket;
  return dialed.kind === 'denied'
    ? { status: 403, message: explainDenial(target, dialed.rule) }
    : { status: 502, message: `no connection to ${formatDestination(target)}: ${dialed.reason}\n` };
}

async function forward(dialer: Dialer, port: number, message: IncomingMessage, response: ServerResponse) {
  const fail = ({ status, message: text }: Rejection) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The rest of a refused body is not read.
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
  };
  const target = readTarget(message, port);
  const upstream = await dialTarget(dialer, target);
  if ('status' in upstream) {
    fail(upstream);
    return;
  }
  if (response.destroyed || 'status' in target) {
    upstream.destroy();
    return;
  }
  response.on('close', () => upstream.destroy());
  const headers = forwardHeaders(message);
  if (message.headers.host === undefined) headers.push('Host', formatDestination(target));
  if (message.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  const call = request({
    createConnection: () => upstream,
    method: message.method,
    path: target.path,
    headers: [...headers, 'Connection', 'close'],
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  call.on('error', (error) => fail({ status: 502, message: `${error.message}\n` }));
  call.on('response', (answer) => {
    try {
      // The reason of the target can have any text, so that the usual one of the status is sent.
      response.writeHead(answer.statusCode ?? 502, forwardHeaders(answer));
    } catch {
      upstream.destroy();
      fail({ status: 502, message: 'the answer of the target is not valid HTTP\n' });
      return;
    }
    pipeline(answer, response, () => upstream.destroy());
  });
  pipeline(message, call, () => undefined);
}

async function openTunnel(dialer: Dialer, message: IncomingMessage, client: Duplex, head: Buffer) {
  client.on('error', () => client.destroy());
  const target = readTunnelTarget(message);
  const upstream = await dialTarget(dialer, target);
  if ('status' in upstream) {
    endWith(client, upstream.status, upstream.message);
    return;
  }
  client.on('close', () => upstream.destroy());
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  await tunnel(client, head, upstream, dialer, 'status' in target ? 0 : target.port);
}

/** Reads the target of CONNECT. It must have a port, and be the host of the Host header. */
function readTunnelTarget({ url = '', headers }: IncomingMessage): Target {
  const target = parseAuthority(url, 0);
  if (target === undefined) return { status: 400, message: 'CONNECT needs a host and a port' };
  const host = headers.host === undefined ? target : parseAuthority(headers.host, target.port);
  if (host?.host !== target.host || host.port !== target.port)
    return { status: 400, message: 'the Host header is not the host of CONNECT' };
  return { ...target, path: '' };
}

/** Forwards a request that changes the protocol, such as to WebSocket. */
async function upgrade(dialer: Dialer, port: number, message: IncomingMessage, client: Duplex, head: Buffer) {
  client.on('error', () => client.destroy());
  const target = readTarget(message, port);
  const upstream = await dialTarget(dialer, target);
  if ('status' in upstream || 'status' in target) {
    if ('status' in upstream) endWith(client, upstream.status, upstream.message);
    return;
  }
  client.on('close', () => upstream.destroy());
  const headers = [...forwardHeaders(message), 'Connection', 'Upgrade', 'Upgrade', message.headers.upgrade ?? ''];
  const call = request({
    createConnection: () => upstream,
    method: message.method,
    path: target.path,
    headers,
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  call.on('error', (error) => endWith(client, 502, error.message));
  call.on('response', () => endWith(client, 502, 'the target does not change the protocol'));
  call.on('upgrade', (answer, socket, early) => {
    const lines = answer.rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${answer.rawHeaders[at + 1] ?? ''}`] : [],
    );
    client.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
    client.write(early);
    pipeline(socket, client, () => undefined);
    join(client, head, socket);
  });
  call.end();
}

/** Ends a connection with a short answer. */
function endWith(client: Duplex, status: 400 | 403 | 502, message: string): void {
  if (client.destroyed || !client.writable) return;
  const reasons = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway' };
  const text = message.endsWith('\n') ? message : `${message}\n`;
  const headers = ['content-type: text/plain', `content-length: ${Buffer.byteLength(text)}`, 'connection: close'];
  client.end([`HTTP/1.1 ${status} ${reasons[status]}`, ...headers, '', text].join('\r\n'));
}
