import { formatHost } from '@gatehouse/egress/host';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { configuredFetch } from '@gatehouse/egress/configured';
import { RESOURCE_METADATA_PATH } from '@gatehouse/auth/resource-metadata-url';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { DestinationStream } from 'pino';
import type { Caller } from '../routes/access.ts';
import type { CallerRule } from '../routes/caller-rule.ts';
import type { RequiredRole } from '../routes/route-facts.ts';
import { KitAdapter } from '../http/adapter.ts';
import { Clock } from '../kit/clock.ts';
import { ConfigError } from '../config/config.ts';
import type { ServiceSettings } from '../config/config.ts';
import { CursorCodec } from '../http/cursor.ts';
import { Failures } from '../http/failures.ts';
import { Guard } from '../auth/guard.ts';
import { preparePort, serverOptions } from '../http/http-server.ts';
import type { HttpParts, HttpPort, RegisteredRoute } from '../http/http-server.ts';
import { KitModule } from '../kit/kit.module.ts';
import { closeOnSignal, exitOnSignal } from './lifecycle.ts';
import { EventLoopDelayMonitor } from '../telemetry/event-loop-delay.ts';
import { createLog, nestLogger } from '../telemetry/log.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { nestOptions } from '../kit/nest-options.ts';
import type { OwnCaller } from '../routes/caller-check.ts';
import { describeService } from '../openapi/openapi.ts';
import type { ServiceInfo } from '../openapi/openapi.ts';
import { Readiness } from '../telemetry/readiness.ts';
import type { HttpError } from '../errors/http-error.ts';
import { pathOf } from '../http/request-path.ts';
import { addReference } from '../openapi/page/page.ts';
import { SignInDiscovery } from '../openapi/page/sign-in.ts';
import { PROTECTED_RESOURCE } from '../auth/resource-metadata.controller.ts';
import type { ProtectedResource } from '../auth/resource-metadata.ts';
import { StartError } from './start-error.ts';
import { addRoot } from './standard-routes.ts';
import { startTelemetry } from '../telemetry/telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { ValidationPipe } from '../json/validation.ts';

/** A request that was answered 403, for the service's audit. */
export interface ForbiddenEvent {
  caller: Caller | OwnCaller;
  /** The operation's summary, else method and route. */
  operation: string;
  method: string;
  /** Path of the request without its query. */
  path: string;
  params: Readonly<Record<string, string>>;
  /** The sentence of the answer. */
  reason: string;
}

/** A second port of a service, served by raw Fastify routes. */
export interface SideListener {
  name: string;
  host: string;
  port: number;
  /**
   * Public address of the port, accepted as an audience; default the address it listens on. The 401
   * challenge names its resource metadata where the listener serves it.
   */
  publicUrl?: string;
  /**
   * Adds routes. Request ids, logs, metrics, failure bodies and strict JSON are those of the main
   * port; `kit.protect` guards a route, `config: { gatehouse: { access: 'public' } }` opens one,
   * and `access: 'self'` says that the route checks its callers itself. A route with none of these
   * stops the start.
   */
  register(server: FastifyInstance, kit: SideListenerKit): void | Promise<void>;
}

/** What a side listener is handed. */
export interface SideListenerKit {
  app: NestFastifyApplication;
  log: Log;
  metrics: Metrics;
  /** onRequest hook for routes that need a token; afterwards callerOf(request) gives the Caller. */
  protect(...roles: [RequiredRole, ...RequiredRole[]]): onRequestHookHandler;
  verifier: TokenVerifier;
  /** Aborted when the shutdown begins: streams end themselves then. */
  shutdown: AbortSignal;
}

/** A service to be created. */
export interface ServiceOptions extends ServiceInfo {
  settings: ServiceSettings;
  /**
   * The app's root module. It can inject Clock, Log, Metrics, Readiness, TokenVerifier and, with
   * CURSOR_KEY, CursorCodec.
   */
  module: Type | DynamicModule;
  /**
   * Where the main port listens and how callers reach it (default: the address it listens on);
   * without this HOST, PORT and PUBLIC_URL of the settings.
   */
  listen?: { host: string; port: number; publicUrl?: string | undefined };
  /** Path of the keys that verify what the service signs, for its resource metadata. */
  keySetPath?: string;
  sideListeners?: readonly SideListener[];
  /**
   * Runs before a 403 is answered, so that the service can write its audit row. A failure is
   * logged; the answer stays 403.
   */
  onForbidden?: (event: ForbiddenEvent, app: NestFastifyApplication) => Promise<void>;
  /** Finds what the service asks of callers beyond their roles, on every port. */
  callerRule?: (app: NestFastifyApplication) => CallerRule;
  /** What an error of a dependency means for callers, for example 503; any other error is 500. */
  toHttpError?: (error: unknown) => HttpError | undefined;
  clock?: Clock;
  /** For the issuers' keys. */
  fetch?: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Longest time for a request to arrive, in milliseconds; default 120,000. A later one is answered
   * 408.
   */
  arrivalMs?: number;
  /** Longest wait for requests in flight at the end, in milliseconds; default 30,000. */
  drainMs?: number;
  /** Where log lines go; default stdout. */
  logDestination?: DestinationStream;
}

/** A service that was created, listening or not. */
export interface Service {
  app: NestFastifyApplication;
  log: Log;
  verifier: TokenVerifier;
  /** All routes of the main port. */
  routes: readonly RegisteredRoute[];
  /** Address of the main port, once it listens. */
  readonly url: string;
  /** Addresses of the side listeners by name, once they listen. */
  readonly sideUrls: Readonly<Record<string, string>>;
  listen(): Promise<void>;
  /** Readiness turns 503, requests in flight end (30 s at most), everything is closed. */
  close(): Promise<void>;
}

const DRAIN_MS = 30_000;
const DRAIN_STEP_MS = 20;

/** The routes that say neither who may call them nor that everybody may, as `GET /path`. */
export const undeclaredRoutes = (routes: readonly RegisteredRoute[]): string[] =>
  routes.filter((route) => route.undeclared).map(({ method, path }) => `${method} ${path}`);

/**
 * Creates a service without listening.
 * @throws Error naming every route with neither @Requires nor @Public; ConfigError when the metrics
 * port is taken
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { settings, name } = options;
  const telemetry = await openPort('METRICS_PORT', settings.HOST, settings.METRICS_PORT, () =>
    startTelemetry({
      service: name,
      version: options.version,
      environment: settings.ENVIRONMENT,
      host: settings.HOST,
      metricsPort: settings.METRICS_PORT,
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    }),
  );
  try {
    return await assemble(options, telemetry);
  } catch (error) {
    await telemetry.close();
    throw error;
  }
}

async function assemble(options: ServiceOptions, telemetry: Telemetry): Promise<Service> {
  const { settings, name } = options;
  const clock = options.clock ?? new Clock();
  const readiness = new Readiness();
  const log = createLog({
    name,
    level: settings.LOG_LEVEL,
    environment: settings.ENVIRONMENT,
    destination: options.logDestination,
  });
  const verifier = new TokenVerifier({
    issuers: settings.ISSUERS,
    audience: settings.AUDIENCE,
    now: () => clock.now(),
    fetch: options.fetch ?? issuerFetch(settings),
  });
  const failures: Failures = new Failures({
    style: options.failureStyle ?? 'sentence',
    forms: options.failureForms,
    log,
    metrics: telemetry.metrics,
    toHttpError: options.toHttpError,
    onForbidden: async (request, refusal) => {
      const caller = request.caller ?? request.ownCaller;
      if (options.onForbidden && caller) await options.onForbidden(forbiddenEvent(request, caller, refusal), app);
    },
  });
  const urls = { main: '', side: {} as Record<string, string> };
  let rule: CallerRule | undefined;
  const guardFor = (publicUrl: () => string, hasMetadata: () => boolean) =>
    new Guard(verifier, publicUrl, hasMetadata, () => (rule ??= options.callerRule?.(app)));
  const checkOf: HttpParts['checkOf'] = (check) => app.get(check, { strict: false });
  const parts = { failures, log, telemetry, checkOf };

  const adapter = new KitAdapter({ ...serverOptions(() => failures, options.arrivalMs), skipMiddie: true });
  const server = adapter.getInstance<FastifyInstance>();
  const publicUrl = options.listen ? options.listen.publicUrl : settings.PUBLIC_URL;
  const resource = () => publicUrl ?? urls.main;
  const isPublished = settings.PUBLISH_RESOURCE_METADATA;
  const mainGuard = guardFor(resource, () => isPublished);
  const mainPort = preparePort(server, { ...parts, guard: mainGuard });
  addRoot(server);
  const protectedResource: ProtectedResource = {
    resource,
    issuers: settings.ISSUERS.map(({ issuer }) => issuer),
    name: options.title,
    keySetPath: options.keySetPath,
    isPublished,
  };
  addReference(server, {
    title: options.title,
    describe: () => describeService(options, app),
    signIn: signInOf(options, clock),
  });

  const app: NestFastifyApplication = await NestFactory.create(
    KitModule.around(options.module, [
      { provide: Clock, useValue: clock },
      { provide: Readiness, useValue: readiness },
      { provide: TokenVerifier, useValue: verifier },
      { provide: PROTECTED_RESOURCE, useValue: protectedResource },
      ...(settings.CURSOR_KEY === undefined
        ? []
        : [{ provide: CursorCodec, useValue: new CursorCodec(settings.CURSOR_KEY) }]),
      ...KitModule.observability(log, telemetry.metrics),
    ]),
    adapter,
    nestOptions({ logger: nestLogger(log), bodyParser: false, abortOnError: false }),
  );
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(failures);
  await app.init();
  refuseUndeclared(name, mainPort.routes);

  const sides: { listener: SideListener; server: FastifyInstance; port: HttpPort }[] = [];
  for (const listener of options.sideListeners ?? []) {
    const side = fastify(serverOptions(() => failures, options.arrivalMs));
    const guard = guardFor(
      () => listener.publicUrl ?? urls.side[listener.name] ?? '',
      () => port.routes.some(({ path }) => path === RESOURCE_METADATA_PATH),
    );
    const port: HttpPort = preparePort(side, { ...parts, guard });
    await listener.register(side, {
      app,
      log,
      metrics: telemetry.metrics,
      verifier,
      shutdown: readiness.shutdown,
      protect: (...roles) => guard.hook(roles),
    });
    await side.ready();
    refuseUndeclared(`${name} (${listener.name})`, port.routes);
    sides.push({ listener, server: side, port });
  }

  let eventLoop: EventLoopDelayMonitor | undefined;
  const listen = async () => {
    const { host, port } = options.listen ?? { host: settings.HOST, port: settings.PORT };
    await openPort('PORT', host, port, () => app.listen(port, host));
    urls.main = addressOf(host, server);
    for (const { listener, server: side } of sides) {
      await openPort(listener.name, listener.host, listener.port, () =>
        side.listen({ host: listener.host, port: listener.port }),
      );
      urls.side[listener.name] = addressOf(listener.host, side);
    }
    log.info({ url: urls.main, ...urls.side }, 'listening');
    // Not before: a start may hold the event loop.
    eventLoop = new EventLoopDelayMonitor({ log, metrics: telemetry.metrics, warnMs: settings.EVENT_LOOP_WARN_MS });
  };
  let listening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    readiness.beginShutdown();
    // A port that is half open can be neither used nor closed.
    await listening?.catch(() => undefined);
    const ports = [mainPort, ...sides.map(({ port }) => port)];
    const end = Date.now() + (options.drainMs ?? DRAIN_MS);
    while (ports.some((port) => port.inFlight() > 0) && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
    await Promise.all(sides.map(({ server: side }) => side.close()));
    await app.close();
    eventLoop?.close();
    await telemetry.close();
  };
  return {
    app,
    log,
    verifier,
    routes: mainPort.routes,
    get url() {
      return urls.main;
    },
    get sideUrls() {
      return urls.side;
    },
    listen: () => (listening ??= listen()),
    close: () => (closing ??= close()),
  };
}

/** A way to the issuers of the configuration, and to the key sets that it names. */
const issuerFetch = ({ ISSUERS }: ServiceOptions['settings']) =>
  configuredFetch(ISSUERS.flatMap(({ issuer, jwks_uri }) => (jwks_uri === undefined ? [issuer] : [issuer, jwks_uri])));

/** How people sign in on the reference page: at the deployment's first issuer. */
function signInOf({ settings, fetch: own }: ServiceOptions, clock: Clock): SignInDiscovery | undefined {
  const [first] = settings.ISSUERS;
  const clientId = settings.REFERENCE_CLIENT_ID;
  if (!first || clientId === undefined) return undefined;
  return new SignInDiscovery({
    issuer: first.issuer,
    clientId,
    scope: settings.REFERENCE_SCOPE,
    fetch: own ?? issuerFetch(settings),
    now: () => clock.now().getTime(),
  });
}

/**
 * Creates, listens, and shuts down on SIGTERM, SIGINT and, with EXIT_WITH_PARENT, when the parent
 * is gone. For main.ts: a start that fails is printed and exits 1.
 */
export async function startService(
  options: ServiceOptions | (() => ServiceOptions | Promise<ServiceOptions>),
): Promise<Service> {
  const stopStarting = exitOnSignal();
  try {
    const resolved = typeof options === 'function' ? await options() : options;
    const service = await createService(resolved);
    stopStarting();
    closeOnSignal({ log: service.log, close: () => service.close(), withParent: resolved.settings.EXIT_WITH_PARENT });
    await service.listen();
    return service;
  } catch (error) {
    const text =
      error instanceof ConfigError || error instanceof StartError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

/** Opens a port. @throws ConfigError naming it when another process has it */
async function openPort<T>(name: string, host: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'EADDRINUSE') throw error;
    throw new ConfigError([`${name}: port ${port} of ${host} is taken by another process`]);
  }
}

function refuseUndeclared(name: string, routes: readonly RegisteredRoute[]): void {
  const open = undeclaredRoutes(routes);
  if (open.length > 0)
    throw new Error(`${name} does not start: these routes say neither @Requires nor @Public: ${open.join(', ')}`);
}

function forbiddenEvent(request: FastifyRequest, caller: Caller | OwnCaller, refusal: HttpError): ForbiddenEvent {
  const { url, config } = request.routeOptions;
  return {
    caller,
    operation: config.gatehouse?.operation?.summary ?? `${request.method} ${url ?? ''}`,
    method: request.method,
    path: pathOf(request.url),
    params: { ...(request.params as Record<string, string>) },
    reason: refusal.message,
  };
}

function addressOf(host: string, server: FastifyInstance): string {
  const address = server.server.address();
  if (address === null || typeof address === 'string') return '';
  return `http://${formatHost(host)}:${address.port}`;
}
