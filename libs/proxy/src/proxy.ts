/** Assembles a proxy from its options: the HTTP server, the passes and the upstream. */
import { formatHost } from '@gatehouse/egress/host';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetadataHandler, type MetadataHandler } from './authentication/resource-metadata.ts';
import { Exchange } from './pipeline/exchange.ts';
import { ProxyOptionError } from './pipeline/option-error.ts';
import type { Proxy, ProxyHealth, ProxyLogLine, ProxyOptions } from './pipeline/options.ts';
import type { Pass } from './pipeline/passes.ts';
import { runPasses, sortPasses } from './pipeline/passes.ts';
import { createAuditPass } from './passes/audit.ts';
import { createAuthenticationPass, createLocalUserPass, createTokenRefusal } from './passes/authentication.ts';
import { createAuthorizationPass } from './passes/authorization.ts';
import { createForwardHeadersPass } from './passes/forward-headers.ts';
import { createHostPass, isLoopback, listHostNames } from './passes/host.ts';
import { createLimitsPass } from './passes/limits.ts';
import { isSameOrigin, listLoopbackOrigins, normalizeOrigin, createOriginPass } from './passes/origin.ts';
import { createParsePass } from './passes/parse.ts';
import { createProtocolPass } from './passes/protocol.ts';
import { createRecoverPass } from './passes/recover.ts';
import { createSessionPass } from './passes/session.ts';
import { createServerSessions, withExpectedAnswers } from './sse/server-sessions.ts';
import { createSseSessionPass } from './sse/session-pass.ts';
import { createTelemetryPass } from './passes/telemetry.ts';
import { createTokenExchangePass } from './passes/token-exchange.ts';
import { createToolFilterPass } from './passes/tool-filter.ts';
import { createWebhookPasses } from './passes/webhooks.ts';
import { answerReserved, isReserved } from './reserved-paths.ts';
import { SessionStore } from './pipeline/session-store.ts';
import { type EndpointOptions, parsePrefix } from './sse/endpoint.ts';
import type { SseSession } from './sse/sse-session.ts';
import { Bridge, type BridgeOptions } from './stdio/bridge.ts';
import { SseBridge } from './stdio/sse-bridge.ts';
import type { ServerTransport } from './pipeline/telemetry.ts';
import type { HttpSession } from './pipeline/http-session.ts';
import { StandaloneStreams } from './upstream/standalone-streams.ts';
import { createPassThrough } from './upstream/pass-through.ts';
import { parseTarget } from './upstream/target.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** The upstream part of a proxy: its passes, its counters and its shutdown. */
interface UpstreamParts {
  passes: readonly Pass[];
  transport: ServerTransport;
  /** The path at which clients reach it. */
  path: '/mcp' | '/sse';
  sessions: () => number;
  processes?: () => number;
  sweep: () => void;
  /** Number of open streams without a request that waits for its answer. */
  idleStreams: () => number;
  /** Ends these streams, or all streams and sessions. */
  endStreams: (which: 'idle' | 'all') => void;
  close: () => Promise<void>;
}

/** Creates a proxy that does not listen yet. @throws {ProxyOptionError} for an invalid option. */
export function createProxy(options: ProxyOptions): Proxy {
  const log = options.log ?? (() => undefined);
  const host = options.host ?? '127.0.0.1';
  const sessionTtlMs = parseLimit('sessionTtlMs', options.sessionTtlMs, 2 * HOUR_MS);
  const readTimeoutMs = parseLimit('readTimeoutMs', options.readTimeoutMs, 30_000);
  let port = options.port ?? 0;
  const upstream =
    options.upstream.kind === 'http'
      ? createHttpUpstream(options, sessionTtlMs, log)
      : createStdioUpstream(options, sessionTtlMs, log);
  const auth = createAuthParts(options, log);
  const passes = sortPasses([
    createRecoverPass(log),
    createLimitsPass(parseLimit('maxRequestBodyBytes', options.maxRequestBodyBytes, 8 * MIB)),
    ...createFrontPasses(options, host, () => port, log),
    ...auth.passes,
    createProtocolPass({ strict: options.strictProtocolValidation ?? false, stateless: options.stateless ?? false }),
    ...createMessagePasses(options, upstream.transport),
    ...upstream.passes,
  ]);

  let inFlight = 0;
  const health = (): ProxyHealth => ({
    status: 'healthy',
    transport: upstream.transport,
    sessions: upstream.sessions(),
    ...(upstream.processes === undefined ? {} : { processes: upstream.processes() }),
    in_flight: inFlight,
  });
  const { recorder } = options;
  function onResponseClose(this: ServerResponse) {
    inFlight--;
    recorder?.end(this);
  }
  const server = createServer(
    createServerOptions(readTimeoutMs),
    (request: IncomingMessage, response: ServerResponse) => {
      inFlight++;
      response.once('close', onResponseClose);
      const target = request.url ?? '';
      const queryStart = target.indexOf('?');
      const path = queryStart === -1 ? target : target.slice(0, queryStart);
      if (isReserved(path))
        void answerReserved(request, path, response, { health, metrics: options.metrics, metadata: auth.metadata });
      else runPasses(passes, observe(new Exchange(request, response, path), options, upstream.transport));
    },
  );
  const sweeper = setInterval(() => upstream.sweep(), Math.min(sessionTtlMs / 2, 60_000)).unref();

  return {
    health,
    async listen() {
      port = await listen(server, host, port);
      return { host, port, url: `http://${formatHost(host)}:${port}${upstream.path}` };
    },
    async close(graceMs = 5_000) {
      clearInterval(sweeper);
      await closeServer(server, graceMs, () => inFlight, upstream);
      await upstream.close();
    },
  };
}

/** Shows an exchange to the recorder, and to the telemetry where no pass measures it. */
function observe(exchange: Exchange, { recorder, telemetry }: ProxyOptions, transport: ServerTransport): Exchange {
  recorder?.begin(exchange);
  if (telemetry !== undefined)
    exchange.onClose(() => {
      if (!exchange.isMeasured && exchange.response.headersSent) telemetry.countRefusal(exchange, transport);
    });
  return exchange;
}

function createFrontPasses(
  options: ProxyOptions,
  host: string,
  port: () => number,
  log: (line: ProxyLogLine) => void,
): Pass[] {
  const loopback = isLoopback(host);
  const given = options.allowedOrigins?.map((origin) => {
    const normal = normalizeOrigin(origin.replace(/\/$/, ''));
    if (normal === undefined)
      throw new ProxyOptionError('allowedOrigins', `"${origin}" is not an origin like https://example.com.`);
    return normal;
  });
  const names = [
    ...(given?.map((origin) => new URL(origin).hostname) ?? []),
    ...(options.allowedHosts ?? []),
    ...(loopback ? [] : listHostNames()),
  ];
  if (!loopback) {
    const pages = given?.length ? `pages of ${given.join(', ')}` : 'pages of its own origin';
    log({
      level: 'warn',
      message: `Listening on ${host}: other machines can call this server, browsers from ${pages}.`,
    });
  }
  return [createHostPass(names, !loopback), createOriginPass(createOriginRule(given, loopback, port))];
}

/** The part of a proxy that finds the caller: its pass, and the metadata for clients. */
interface AuthParts {
  passes: Pass[];
  metadata: MetadataHandler | undefined;
}

function createAuthParts(options: ProxyOptions, log: (line: ProxyLogLine) => void): AuthParts {
  const { authentication, tokenExchange, localUser, trustProxyHeaders = false } = options;
  requireExchangeableTokens(options);
  if (authentication === undefined)
    return { passes: localUser === undefined ? [] : [createLocalUserPass(localUser)], metadata: undefined };
  const refuse = createTokenRefusal(authentication, trustProxyHeaders);
  return {
    passes: [
      createAuthenticationPass(authentication, { refuse, log }),
      ...(tokenExchange === undefined ? [] : [createTokenExchangePass(tokenExchange, { refuse, log })]),
    ],
    metadata: createMetadataHandler(authentication, trustProxyHeaders),
  };
}

/** Only a verified token is exchanged, and only an HTTP server can get one. */
function requireExchangeableTokens({ authentication, tokenExchange, upstream }: ProxyOptions): void {
  if (tokenExchange === undefined) return;
  if (authentication === undefined)
    throw new ProxyOptionError('tokenExchange', 'Token exchange needs authentication, which verifies the tokens.');
  if (upstream.kind === 'stdio')
    throw new ProxyOptionError('tokenExchange', 'A stdio server has no headers, so it cannot get an exchanged token.');
}

/** Creates the passes that decide on messages. Without one, no message is parsed for them. */
function createMessagePasses(options: ProxyOptions, transport: ServerTransport): Pass[] {
  const { tools, audit, authorizer, webhooks, telemetry, trustProxyHeaders } = options;
  const passes: Pass[] = [];
  if (audit !== undefined) passes.push(createAuditPass(audit, trustProxyHeaders ?? false));
  if (tools !== undefined) passes.push(createToolFilterPass(tools));
  if (webhooks !== undefined) passes.push(...createWebhookPasses(webhooks));
  if (authorizer !== undefined) passes.push(createAuthorizationPass(authorizer));
  const isStrict = passes.some(({ name }) => name !== 'audit');
  if (telemetry !== undefined) passes.push(createTelemetryPass(telemetry, transport));
  return passes.length === 0 ? [] : [createParsePass(isStrict), ...passes];
}

/**
 * Allows the origins of the list; without a list, those of the address that the proxy listens on.
 */
function createOriginRule(
  listed: readonly string[] | undefined,
  loopback: boolean,
  port: () => number,
): (origin: string, host: string | undefined) => boolean {
  if (listed !== undefined && listed.length > 0) {
    const allowed = new Set(listed);
    return (origin) => allowed.has(origin);
  }
  if (!loopback) return isSameOrigin;
  // The port is known only after listening.
  let allowed: ReadonlySet<string> | undefined;
  return (origin) => (allowed ??= new Set(listLoopbackOrigins(port()))).has(origin);
}

function createHttpUpstream(options: ProxyOptions, ttlMs: number, log: (line: ProxyLogLine) => void): UpstreamParts {
  const upstream = options.upstream;
  if (upstream.kind !== 'http') throw new ProxyOptionError('upstream.kind', 'The upstream is not an HTTP server.');
  const target = parseTarget(upstream.url, upstream.remote);
  const transport = upstream.transport ?? 'streamable-http';
  const { max, maxPerSubject } = getSessionLimits(options);
  const limits = { ttlMs, max, maxPerSubject, now: () => performance.now() };
  const { pass, close } = createPassThrough(target, upstream, options.requestTimeoutMs ?? 0, log);
  const forward = createForwardHeadersPass({
    set: upstream.headers ?? {},
    tokens: upstream.tokens,
    log,
    trustProxyHeaders: options.trustProxyHeaders ?? false,
    remote: target.remote,
  });
  if (transport === 'sse') {
    const store = new SessionStore<SseSession>(limits);
    const session = createSseSessionPass(createServerSessions(store, target, getEndpointOptions(options)));
    return {
      passes: [session, forward, withExpectedAnswers(pass)],
      transport,
      path: '/sse',
      sessions: () => store.size,
      sweep: () => undefined,
      idleStreams: () => store.listSessions().filter(({ isIdle }) => isIdle).length,
      endStreams: (which) => {
        for (const each of store.listSessions()) if (which === 'all' || each.isIdle) each.close();
      },
      close,
    };
  }
  const store = new SessionStore<HttpSession>(limits);
  const streams = new StandaloneStreams();
  return {
    passes: [createSessionPass(store), forward, streams.watch(pass)],
    transport,
    path: '/mcp',
    sessions: () => store.size,
    sweep: () => store.sweep(),
    idleStreams: () => streams.count,
    endStreams: () => streams.end(),
    close,
  };
}

function createStdioUpstream(
  options: ProxyOptions,
  sessionTtlMs: number,
  log: (line: ProxyLogLine) => void,
): UpstreamParts {
  const upstream = options.upstream;
  if (upstream.kind !== 'stdio') throw new ProxyOptionError('upstream.kind', 'The upstream is not a stdio server.');
  if (options.stateless === true) {
    throw new ProxyOptionError(
      'stateless',
      'A stdio server keeps its sessions in a process, so it cannot be stateless.',
    );
  }
  const maxProcesses = parseLimit('upstream.maxProcesses', upstream.maxProcesses, 64);
  const sessions = getSessionLimits(options);
  const bridgeOptions: BridgeOptions = {
    openProcess: upstream.openProcess,
    maxProcesses,
    maxProcessesPerSubject: parseLimit(
      'upstream.maxProcessesPerSubject',
      upstream.maxProcessesPerSubject,
      getShare(options, maxProcesses, 4),
    ),
    maxSessions: sessions.max,
    maxSessionsPerSubject: sessions.maxPerSubject,
    sessionTtlMs,
    requestTimeoutMs: options.requestTimeoutMs,
    resumeGraceMs: 10_000,
    now: () => performance.now(),
    log,
  };
  const isSse = upstream.clientTransport === 'sse';
  const bridge = isSse ? new SseBridge(bridgeOptions, getEndpointOptions(options)) : new Bridge(bridgeOptions);
  return {
    passes: bridge.passes,
    transport: 'stdio',
    path: isSse ? '/sse' : '/mcp',
    sessions: () => bridge.sessionCount,
    processes: () => bridge.processCount,
    sweep: () => bridge.sweep(),
    idleStreams: () => bridge.idleStreamCount,
    endStreams: (which) => bridge.endStreams(which),
    close: () => bridge.close(),
  };
}

function getEndpointOptions({ endpointPrefix, trustProxyHeaders }: ProxyOptions): EndpointOptions {
  return { prefix: parsePrefix(endpointPrefix ?? ''), trustProxyHeaders: trustProxyHeaders ?? false };
}

function getSessionLimits(options: ProxyOptions): { max: number; maxPerSubject: number } {
  const max = parseLimit('maxSessions', options.maxSessions, 10_000);
  const share = getShare(options, max, 10);
  return { max, maxPerSubject: parseLimit('maxSessionsPerSubject', options.maxSessionsPerSubject, share) };
}

/** One caller cannot take all where authentication tells callers apart. */
const getShare = ({ authentication }: ProxyOptions, max: number, parts: number): number =>
  authentication === undefined ? max : Math.max(1, Math.floor(max / parts));

function parseLimit(option: string, value: number | undefined, defaultValue: number): number {
  if (value === undefined || value === 0) return defaultValue;
  if (!Number.isSafeInteger(value) || value < 0)
    throw new ProxyOptionError(option, `${option} must be a whole number of at least 0.`);
  return value;
}

function createServerOptions(readTimeoutMs: number): Parameters<typeof createServer>[0] {
  return {
    // Node ends a request whose headers or body arrive later than this. Responses have no limit.
    headersTimeout: Math.min(10_000, readTimeoutMs),
    requestTimeout: readTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, Math.floor(readTimeoutMs / 4))),
    keepAliveTimeout: 120_000,
    requireHostHeader: true,
    insecureHTTPParser: false,
    noDelay: true,
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Waits at most `graceMs` for open responses, and for streams with a request that waits for its
 * answer. Then ends every connection.
 */
async function closeServer(
  server: Server,
  graceMs: number,
  inFlight: () => number,
  { idleStreams, endStreams }: Pick<UpstreamParts, 'idleStreams' | 'endStreams'>,
): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  const until = performance.now() + graceMs;
  const waitWhile = async (isBusy: () => boolean) => {
    while (isBusy() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await waitWhile(() => inFlight() > idleStreams());
  endStreams('idle');
  await waitWhile(() => inFlight() > 0);
  endStreams('all');
  // The last messages are written before their connections end.
  await new Promise((resolve) => setImmediate(resolve));
  server.closeAllConnections();
  await closed;
}
