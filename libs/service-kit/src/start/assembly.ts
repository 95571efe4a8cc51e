import { formatHost } from '@gatehouse/egress/host';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RESOURCE_METADATA_PATH } from '@gatehouse/auth/resource-metadata-url';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../routes/access.ts';
import type { CallerRule } from '../routes/caller-rule.ts';
import { KitAdapter } from '../http/adapter.ts';
import { Clock } from '../kit/clock.ts';
import { CursorCodec } from '../http/cursor.ts';
import { serveDirectly } from '../http/direct-requests.ts';
import { Failures } from '../http/failures.ts';
import { Authentication, readAuthentication } from '../auth/authentication.ts';
import { Guard } from '../auth/guard.ts';
import { preparePort, serverOptions } from '../http/http-server.ts';
import type { HttpParts, HttpPort, RegisteredRoute } from '../http/http-server.ts';
import { KitModule } from '../kit/kit.module.ts';
import { EventLoopDelayMonitor } from '../telemetry/event-loop-delay.ts';
import { createLog, nestLogger } from '../telemetry/log.ts';
import type { Log } from '../telemetry/log.ts';
import { nestOptions } from '../kit/nest-options.ts';
import type { OwnCaller } from '../routes/caller-check.ts';
import { describeService } from '../openapi/openapi.ts';
import { Readiness } from '../telemetry/readiness.ts';
import { getRequestPath } from '../http/request-path.ts';
import { addReference } from '../openapi/page/page.ts';
import { SignInDiscovery } from '../openapi/page/sign-in.ts';
import { PROTECTED_RESOURCE, type ProtectedResource } from '../auth/protected-resource.ts';
import { addRoot } from './standard-routes.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { ValidationPipe } from '../json/validation.ts';
import type { ForbiddenEvent, Service, ServiceOptions, SideListener } from './service.ts';
import { openPort } from './open-port.ts';

const DRAIN_MS = 30_000;
const DRAIN_STEP_MS = 20;

/**
 * Creates the ports, the application and the side listeners of a service. No port listens yet.
 * @throws Error naming every route with neither @Requires nor @Public
 */
export async function assemble(options: ServiceOptions, telemetry: Telemetry): Promise<Service> {
  const parts = createParts(options, telemetry);
  const main = prepareMainPort(parts);
  const app = await createApp(parts, main);
  parts.app = app;
  refuseUndeclared(options.name, main.port.routes);
  if (options.directRoute) serveDirectly(main.server.server, main.port.observer, options.directRoute(app));
  const sides: SidePort[] = [];
  for (const listener of options.sideListeners ?? []) sides.push(await prepareSidePort(parts, app, listener));
  return runningService(parts, app, main, sides);
}

/** The parts that all ports of a service share. */
interface Parts {
  options: ServiceOptions;
  telemetry: Telemetry;
  clock: Clock;
  readiness: Readiness;
  log: Log;
  authentication: Authentication;
  failures: Failures;
  /** Addresses of the listening ports. */
  urls: { main: string; side: Record<string, string> };
  /** Set before the first request. */
  app: NestFastifyApplication | undefined;
  /** Created at the first request that needs it. */
  callerRule: CallerRule | undefined;
}

interface MainPort {
  adapter: KitAdapter;
  server: FastifyInstance;
  port: HttpPort;
  protectedResource: ProtectedResource;
}

interface SidePort {
  listener: SideListener;
  server: FastifyInstance;
  port: HttpPort;
}

function createParts(options: ServiceOptions, telemetry: Telemetry): Parts {
  const { settings, name } = options;
  const { LOG_LEVEL: level, ENVIRONMENT: environment } = settings;
  const log = createLog({ name, level, environment, destination: options.logDestination });
  const clock = options.clock ?? new Clock();
  const authentication = new Authentication(options.authentication ?? readAuthentication(settings), {
    now: () => clock.now(),
    fetch: options.fetch,
  });
  const failures = new Failures({
    style: options.failureStyle ?? 'sentence',
    forms: options.failureForms,
    log,
    metrics: telemetry.metrics,
    toHttpError: options.toHttpError,
    onForbidden: async (request, refusal) => {
      const caller = request.caller ?? request.ownCaller;
      if (caller) await options.onForbidden?.(forbiddenEvent(request, caller, refusal.message), requireApp(parts));
    },
    onRefused: (request, { status, code, violations, sentence }) => {
      const caller = request.caller ?? request.ownCaller;
      if (caller)
        options.onRefused?.(
          { ...forbiddenEvent(request, caller, sentence), status, code, violations },
          requireApp(parts),
        );
    },
  });
  const parts: Parts = {
    options,
    telemetry,
    clock,
    readiness: new Readiness(),
    log,
    authentication,
    failures,
    urls: { main: '', side: {} },
    app: undefined,
    callerRule: undefined,
  };
  return parts;
}

/** @throws Error before the application was created */
function requireApp({ app }: Parts): NestFastifyApplication {
  if (!app) throw new Error('the application is not created yet');
  return app;
}

const createGuard = (parts: Parts, publicUrl: () => string, hasMetadata: () => boolean): Guard =>
  new Guard(
    parts.authentication.verifier,
    publicUrl,
    hasMetadata,
    () => (parts.callerRule ??= parts.options.callerRule?.(requireApp(parts))),
  );

const createHttpParts = (parts: Parts, guard: Guard): HttpParts => ({
  failures: parts.failures,
  log: parts.log,
  telemetry: parts.telemetry,
  getCallerCheck: (check) => requireApp(parts).get(check, { strict: false }),
  guard,
});

/** Creates the main port with the routes outside of Nest: `/` and the reference. */
function prepareMainPort(parts: Parts): MainPort {
  const { options, authentication, failures, urls, clock } = parts;
  const { settings, title } = options;
  const adapter = new KitAdapter({ ...serverOptions(() => failures, options.arrivalMs), skipMiddie: true });
  const server = adapter.getInstance<FastifyInstance>();
  const publicUrl = options.listen ? options.listen.publicUrl : settings.PUBLIC_URL;
  const resource = () => publicUrl ?? urls.main;
  const isPublished = settings.PUBLISH_RESOURCE_METADATA;
  const port = preparePort(
    server,
    createHttpParts(
      parts,
      createGuard(parts, resource, () => isPublished),
    ),
  );
  addRoot(server);
  addReference(server, {
    title,
    describe: () => describeService(options, requireApp(parts)),
    signIn: createSignInDiscovery(options, authentication, clock),
  });
  const protectedResource = {
    resource,
    issuers: () => authentication.issuers,
    name: title,
    keySetPath: options.keySetPath,
    isPublished,
  };
  return { adapter, server, port, protectedResource };
}

async function createApp(parts: Parts, { adapter, protectedResource }: MainPort): Promise<NestFastifyApplication> {
  const { options, telemetry, clock, readiness, log, authentication, failures } = parts;
  const { CURSOR_KEY: cursorKey } = options.settings;
  const app: NestFastifyApplication = await NestFactory.create(
    KitModule.wrap(options.module, [
      { provide: Clock, useValue: clock },
      { provide: Readiness, useValue: readiness },
      { provide: TokenVerifier, useValue: authentication.verifier },
      { provide: PROTECTED_RESOURCE, useValue: protectedResource },
      ...(cursorKey === undefined ? [] : [{ provide: CursorCodec, useValue: new CursorCodec(cursorKey) }]),
      ...KitModule.observability(log, telemetry),
    ]),
    adapter,
    nestOptions({ logger: nestLogger(log), bodyParser: false, abortOnError: false }),
  );
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(failures);
  try {
    await app.init();
  } catch (error) {
    // Parts that have started would otherwise continue in a process that does not end, such as a
    // test.
    await app.close().catch(() => undefined);
    throw error;
  }
  return app;
}

async function prepareSidePort(parts: Parts, app: NestFastifyApplication, listener: SideListener): Promise<SidePort> {
  const { options, telemetry, log, authentication, failures, urls, readiness } = parts;
  const server = fastify(serverOptions(() => failures, options.arrivalMs));
  const guard = createGuard(
    parts,
    () => listener.publicUrl ?? urls.side[listener.name] ?? '',
    () => port.routes.some(({ path }) => path === RESOURCE_METADATA_PATH),
  );
  const port: HttpPort = preparePort(server, createHttpParts(parts, guard));
  await listener.register(server, {
    app,
    log,
    metrics: telemetry.metrics,
    verifier: authentication.verifier,
    shutdown: readiness.shutdown,
    protect: (...roles) => guard.hook(roles),
    serveDirectly: (route) => serveDirectly(server.server, port.observer, route),
  });
  await server.ready();
  refuseUndeclared(`${options.name} (${listener.name})`, port.routes);
  return { listener, server, port };
}

function runningService(
  parts: Parts,
  app: NestFastifyApplication,
  main: MainPort,
  sides: readonly SidePort[],
): Service {
  const { log, authentication, urls } = parts;
  let listening: Promise<EventLoopDelayMonitor> | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    parts.readiness.beginShutdown();
    // A port that is still opening cannot be closed.
    const eventLoop = await listening?.catch(() => undefined);
    await drain([main, ...sides], parts.options.drainMs ?? DRAIN_MS);
    await Promise.all(sides.map(({ server }) => server.close()));
    await app.close();
    eventLoop?.close();
    await parts.telemetry.close();
  };
  return {
    app,
    log,
    verifier: authentication.verifier,
    routes: main.port.routes,
    get url() {
      return urls.main;
    },
    get sideUrls() {
      return urls.side;
    },
    listen: async () => {
      await (listening ??= listen(parts, app, main, sides));
    },
    close: () => (closing ??= close()),
  };
}

/** Opens all ports. @returns the monitor of the event loop, which starts when they are open */
async function listen(
  { options, log, urls, telemetry }: Parts,
  app: NestFastifyApplication,
  main: MainPort,
  sides: readonly SidePort[],
): Promise<EventLoopDelayMonitor> {
  const { settings } = options;
  const { host, port } = options.listen ?? { host: settings.HOST, port: settings.PORT };
  await openPort('PORT', host, port, () => app.listen(port, host));
  urls.main = getBaseUrl(host, main.server);
  for (const { listener, server } of sides) {
    await openPort(listener.name, listener.host, listener.port, () =>
      server.listen({ host: listener.host, port: listener.port }),
    );
    urls.side[listener.name] = getBaseUrl(listener.host, server);
  }
  log.info({ url: urls.main, ...urls.side }, 'listening');
  // The start can block the event loop, so the monitor begins after it.
  return new EventLoopDelayMonitor({ log, metrics: telemetry.metrics, warnMs: settings.EVENT_LOOP_WARN_MS });
}

/** Waits until no request is in flight. @param longestMs longest wait in milliseconds */
async function drain(ports: readonly { port: HttpPort }[], longestMs: number): Promise<void> {
  const end = Date.now() + longestMs;
  while (ports.some(({ port }) => port.observer.inFlight > 0) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
}

/** The sign-in of the reference page, at the first issuer. */
function createSignInDiscovery(
  { settings }: ServiceOptions,
  authentication: Authentication,
  clock: Clock,
): SignInDiscovery | undefined {
  const clientId = settings.REFERENCE_CLIENT_ID;
  if (clientId === undefined) return undefined;
  return new SignInDiscovery({
    issuer: () => authentication.issuers[0],
    clientId,
    scope: settings.REFERENCE_SCOPE,
    fetch: authentication.fetch,
    now: () => clock.now().getTime(),
  });
}

function refuseUndeclared(name: string, routes: readonly RegisteredRoute[]): void {
  const open = routes.filter((route) => route.isUndeclared).map(({ method, path }) => `${method} ${path}`);
  if (open.length > 0)
    throw new Error(`${name} does not start: add @Requires or @Public to these routes: ${open.join(', ')}`);
}

function forbiddenEvent(request: FastifyRequest, caller: Caller | OwnCaller, reason: string): ForbiddenEvent {
  const { url, config } = request.routeOptions;
  return {
    caller,
    operation: config.gatehouse?.operation?.summary ?? `${request.method} ${url ?? ''}`,
    method: request.method,
    path: getRequestPath(request.url),
    params: { ...(request.params as Record<string, string>) },
    reason,
  };
}

function getBaseUrl(host: string, server: FastifyInstance): string {
  const address = server.server.address();
  if (address === null || typeof address === 'string') return '';
  return `http://${formatHost(host)}:${address.port}`;
}
