import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { DestinationStream } from 'pino';
import type { Caller } from '../routes/access.ts';
import type { CallerRule } from '../routes/caller-rule.ts';
import type { RequiredRole } from '../routes/route-facts.ts';
import { Clock } from '../kit/clock.ts';
import type { ServiceSettings } from '../config/config.ts';
import type { RegisteredRoute } from '../http/http-server.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { OwnCaller } from '../routes/caller-check.ts';
import type { ServiceInfo } from '../openapi/openapi.ts';
import type { HttpError } from '../errors/http-error.ts';

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

/** What a side listener receives. */
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
  /** The rule for callers beyond their roles, on every port. */
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
