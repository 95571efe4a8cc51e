import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { DestinationStream } from 'pino';
import type { Caller } from '../routes/access.ts';
import type { LiveAuthentication } from '../auth/authentication.ts';
import type { CallerRule } from '../routes/caller-rule.ts';
import type { RequiredRole } from '../routes/route-facts.ts';
import { Clock } from '../kit/clock.ts';
import type { ServiceSettings } from '../config/config.ts';
import type { DirectRoute } from '../http/direct-requests.ts';
import type { RegisteredRoute } from '../http/http-server.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { OwnCaller } from '../routes/caller-check.ts';
import type { ServiceInfo } from '../openapi/openapi.ts';
import type { HttpError, Violation } from '../errors/http-error.ts';

/** A request that is answered 403, for the audit trail of the service. */
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

/** A request of an authenticated caller that is answered with a failure. */
export interface RefusedEvent extends ForbiddenEvent {
  /** Status of the answer. */
  status: number;
  /** Machine code of the failure. */
  code: string;
  violations: readonly Violation[];
}

/** A second port of a service, served by raw Fastify routes. */
export interface SideListener {
  name: string;
  host: string;
  port: number;
  /**
   * Public address of the port, accepted as an audience; default the address it listens on. The 401
   * challenge names its resource metadata if the listener serves it.
   */
  publicUrl?: string;
  /**
   * Adds routes. Request ids, logs, metrics, failure bodies and strict JSON are those of the main
   * port. `kit.protect` guards a route, `config: { gatehouse: { access: 'public' } }` opens it, and
   * with `access: 'self'` the route itself checks its callers. A route without these stops the
   * start.
   */
  register(server: FastifyInstance, kit: SideListenerKit): void | Promise<void>;
}

/** The tools of a side listener. */
export interface SideListenerKit {
  app: NestFastifyApplication;
  log: Log;
  metrics: Metrics;
  /** An onRequest hook that requires a token; `requireCaller(request)` then returns the Caller. */
  protect(...roles: [RequiredRole, ...RequiredRole[]]): onRequestHookHandler;
  /**
   * Serves requests of a route before Fastify sees them, which costs less. A route in `register`
   * must cover them too, and Fastify serves them there if their headers are unusual.
   */
  serveDirectly(route: DirectRoute): void;
  verifier: TokenVerifier;
  /** Aborted when the shutdown begins, so that streams end. */
  shutdown: AbortSignal;
}

/** The parts and options of a service. */
export interface ServiceOptions extends ServiceInfo {
  settings: ServiceSettings;
  /**
   * The issuers and audiences of access tokens; default: ISSUERS and AUDIENCE of the settings.
   * While they are missing, every operation that needs an access token answers 503.
   */
  authentication?: LiveAuthentication;
  /**
   * The app's root module. It can inject ClientSpans, Clock, Log, Metrics, Readiness, TokenVerifier
   * and, with CURSOR_KEY, CursorCodec.
   */
  module: Type | DynamicModule;
  /**
   * Address of the main port, and its public URL (default: that address). Default: HOST, PORT and
   * PUBLIC_URL of the settings.
   */
  listen?: { host: string; port: number; publicUrl?: string | undefined };
  /** Path of the key set for signatures of the service, for its resource metadata. */
  keySetPath?: string;
  sideListeners?: readonly SideListener[];
  /** A route of the main port that needs nothing of Fastify. It comes before all other routes. */
  directRoute?: (app: NestFastifyApplication) => DirectRoute;
  /**
   * Runs before the answer to a 403, so that the service can write an audit event. A failure is
   * logged, and the answer stays 403.
   */
  onForbidden?: (event: ForbiddenEvent, app: NestFastifyApplication) => Promise<void>;
  /**
   * Is called before each answer that refuses an authenticated caller, also after `onForbidden`.
   */
  onRefused?: (event: RefusedEvent, app: NestFastifyApplication) => void;
  /** The rule for callers beyond their roles, on every port. */
  callerRule?: (app: NestFastifyApplication) => CallerRule;
  /** Maps an error of a dependency to a refusal, for example 503. Other errors are 500. */
  toHttpError?: (error: unknown) => HttpError | undefined;
  clock?: Clock;
  /** Fetches the key sets of the issuers. */
  fetch?: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Longest time for a request to arrive, in milliseconds; default 120,000. A later one is answered
   * 408.
   */
  arrivalMs?: number;
  /** Longest wait for requests in flight during the shutdown, in milliseconds; default 30,000. */
  drainMs?: number;
  /** Destination of the log lines; default stdout. */
  logDestination?: DestinationStream;
}

/** A created service, which may not listen yet. */
export interface Service {
  app: NestFastifyApplication;
  log: Log;
  verifier: TokenVerifier;
  /** All routes of the main port. */
  routes: readonly RegisteredRoute[];
  /** Address of the main port; empty until it listens. */
  readonly url: string;
  /** Addresses of the listening side listeners by name. */
  readonly sideUrls: Readonly<Record<string, string>>;
  listen(): Promise<void>;
  /** Sets the readiness to 503, waits for requests in flight, and closes all parts. */
  close(): Promise<void>;
}
