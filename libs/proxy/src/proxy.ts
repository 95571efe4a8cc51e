/**
 * Puts a proxy together: the server, the passes that the options switch on, and what they pass
 * requests to.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Exchange } from './pipeline/exchange.ts';
import { ProxyOptionError } from './pipeline/option-error.ts';
import type { Proxy, ProxyHealth, ProxyLogLine, ProxyOptions } from './pipeline/options.ts';
import type { Pass } from './pipeline/passes.ts';
import { inOrder, run } from './pipeline/passes.ts';
import { forwardHeadersPass } from './passes/forward-headers.ts';
import { hostPass, isLoopback, ownHostNames } from './passes/host.ts';
import { limitsPass } from './passes/limits.ts';
import { isSameOrigin, loopbackOrigins, normalOrigin, originPass } from './passes/origin.ts';
import { protocolPass } from './passes/protocol.ts';
import { recoverPass } from './passes/recover.ts';
import { sessionPass } from './passes/session.ts';
import { answerReserved, isReserved } from './reserved-paths.ts';
import { SessionStore } from './pipeline/session-store.ts';
import type { StoredSession } from './pipeline/session-store.ts';
import { createBridge } from './stdio/bridge.ts';
import { passThrough } from './upstream/pass-through.ts';
import { readTarget } from './upstream/target.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** The upstream half of a proxy: its passes, what it reports, and how it ends. */
interface Back {
  passes: Pass[];
  transport: ProxyHealth['transport'];
  sessions: () => number;
  processes?: () => number;
  sweep: () => void;
  close: () => Promise<void>;
}

/**
 * Makes a proxy that does not listen yet. Throws {@link ProxyOptionError} on options that cannot
 * work.
 */
export function createProxy(options: ProxyOptions): Proxy {
  const log = options.log ?? (() => undefined);
  const host = options.host ?? '127.0.0.1';
  const sessionTtlMs = positive('sessionTtlMs', options.sessionTtlMs, 2 * HOUR_MS);
  const readTimeoutMs = positive('readTimeoutMs', options.readTimeoutMs, 30_000);
  let port = options.port ?? 0;
  const back =
    options.upstream.kind === 'http' ? httpBack(options, sessionTtlMs, log) : stdioBack(options, sessionTtlMs, log);
  const passes = inOrder([
    recoverPass(log),
    limitsPass(positive('maxRequestBodyBytes', options.maxRequestBodyBytes, 8 * MIB)),
    ...frontPasses(options, host, () => port, log),
    protocolPass({ strict: options.strictProtocolValidation ?? false, stateless: options.stateless ?? false }),
    ...back.passes,
  ]);

  let inFlight = 0;
  const health = (): ProxyHealth => ({
    status: 'healthy',
    transport: back.transport,
    sessions: back.sessions(),
    ...(back.processes === undefined ? {} : { processes: back.processes() }),
    in_flight: inFlight,
  });
  const ended = () => inFlight--;
  const server = createServer(serverOptions(readTimeoutMs), (request: IncomingMessage, response: ServerResponse) => {
    inFlight++;
    response.once('close', ended);
    const target = request.url ?? '';
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    if (isReserved(path))
      void answerReserved(request.method ?? 'GET', path, response, { health, metrics: options.metrics });
    else run(passes, new Exchange(request, response, path));
  });
  const sweeper = setInterval(() => back.sweep(), Math.min(sessionTtlMs / 2, 60_000)).unref();

  return {
    health,
    async listen() {
      port = await listening(server, host, port);
      return { host, port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp` };
    },
    async close(graceMs = 5_000) {
      clearInterval(sweeper);
      await closing(server, graceMs, () => inFlight);
      await back.close();
    },
  };
}

function frontPasses(
  options: ProxyOptions,
  host: string,
  port: () => number,
  log: (line: ProxyLogLine) => void,
): Pass[] {
  const loopback = isLoopback(host);
  const given = options.allowedOrigins?.map((origin) => {
    const normal = normalOrigin(origin.replace(/\/$/, ''));
    if (normal === undefined)
      throw new ProxyOptionError('allowedOrigins', `"${origin}" is not an origin like https://example.com.`);
    return normal;
  });
  const names = [
    ...(given?.map((origin) => new URL(origin).hostname) ?? []),
    ...(options.allowedHosts ?? []),
    ...(loopback ? [] : ownHostNames()),
  ];
  if (!loopback) {
    const pages = given?.length ? `pages of ${given.join(', ')}` : 'pages of its own origin';
    log({
      level: 'warn',
      message: `Listening on ${host}: other machines can call this server, browsers from ${pages}.`,
    });
  }
  return [hostPass(names, !loopback), originPass(originRule(given, loopback, port))];
}

/**
 * Which origins may call: those of the list, else those of the address that the proxy listens on.
 */
function originRule(
  given: readonly string[] | undefined,
  loopback: boolean,
  port: () => number,
): (origin: string, host: string | undefined) => boolean {
  if (given !== undefined && given.length > 0) {
    const allowed = new Set(given);
    return (origin) => allowed.has(origin);
  }
  if (!loopback) return isSameOrigin;
  // The port is known only after listening.
  let allowed: ReadonlySet<string> | undefined;
  return (origin) => (allowed ??= new Set(loopbackOrigins(port()))).has(origin);
}

function httpBack(options: ProxyOptions, ttlMs: number, log: (line: ProxyLogLine) => void): Back {
  const upstream = options.upstream;
  if (upstream.kind !== 'http') throw new ProxyOptionError('upstream.kind', 'The upstream is not an HTTP server.');
  const target = readTarget(upstream.url);
  const store = new SessionStore<StoredSession>({ ttlMs, max: maxSessions(options), now: () => performance.now() });
  const { pass, close } = passThrough(target, upstream, options.requestTimeoutMs ?? 0, log);
  const forward = forwardHeadersPass({
    set: upstream.headers ?? {},
    trustProxyHeaders: options.trustProxyHeaders ?? false,
    remote: target.remote,
  });
  return {
    passes: [sessionPass(store), forward, pass],
    transport: 'streamable-http',
    sessions: () => store.size,
    sweep: () => store.sweep(),
    close,
  };
}

function stdioBack(options: ProxyOptions, sessionTtlMs: number, log: (line: ProxyLogLine) => void): Back {
  const upstream = options.upstream;
  if (upstream.kind !== 'stdio') throw new ProxyOptionError('upstream.kind', 'The upstream is not a stdio server.');
  if (options.stateless === true) {
    throw new ProxyOptionError(
      'stateless',
      'A stdio server keeps its sessions in a process: it cannot be declared stateless.',
    );
  }
  const bridge = createBridge({
    openProcess: upstream.openProcess,
    maxProcesses: positive('upstream.maxProcesses', upstream.maxProcesses, 64),
    maxSessions: maxSessions(options),
    sessionTtlMs,
    requestTimeoutMs: options.requestTimeoutMs,
    resumeGraceMs: 10_000,
    now: () => performance.now(),
    log,
  });
  return {
    passes: [bridge.pass],
    transport: 'stdio',
    sessions: () => bridge.sessions(),
    processes: () => bridge.processes(),
    sweep: () => bridge.sweep(),
    close: () => bridge.close(),
  };
}

function maxSessions(options: ProxyOptions): number {
  return positive('maxSessions', options.maxSessions, 10_000);
}

function positive(option: string, value: number | undefined, whenZero: number): number {
  if (value === undefined || value === 0) return whenZero;
  if (!Number.isSafeInteger(value) || value < 0)
    throw new ProxyOptionError(option, `${option} must be a whole number, not negative.`);
  return value;
}

function serverOptions(readTimeoutMs: number): Parameters<typeof createServer>[0] {
  return {
    // Headers within ten seconds, everything within the read timeout; whoever is slower is cut off.
    // Answers may take for ever.
    headersTimeout: Math.min(10_000, readTimeoutMs),
    requestTimeout: readTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, Math.floor(readTimeoutMs / 4))),
    keepAliveTimeout: 120_000,
    requireHostHeader: true,
    insecureHTTPParser: false,
    noDelay: true,
  };
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Lets answers finish for a while, then ends every connection. */
async function closing(server: Server, graceMs: number, inFlight: () => number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  const until = performance.now() + graceMs;
  while (inFlight() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  server.closeAllConnections();
  await closed;
}
