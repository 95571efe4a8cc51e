import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { DestinationStream } from 'pino';
import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { Caller, RequiredRole } from './access.ts';
import type { Clock } from './clock.ts';
import type { ServiceSettings } from './config.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** How failure bodies look: `sentence` is `{"error": "<sentence>"}`, `codes` is `{"error": "<code>", "requestId", "violations"}`. */
export type FailureStyle = 'sentence' | 'codes';

/** A request that was answered 403, for the service's audit. */
export interface ForbiddenEvent {
  caller: Caller;
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
  /** Public address for the 401 challenge; default `http://host:port`. */
  publicUrl?: string;
  /** Adds routes. Request ids, logs, metrics, failure bodies are those of the main port; `kit.protect` guards a route; there is no default body parser but strict JSON. */
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
}

/** What describes a service in its OpenAPI document. */
export interface ServiceInfo {
  /** `enterprise-manager`. */
  name: string;
  title: string;
  description: string;
  version: string;
  /** Default `sentence`. */
  failureStyle?: FailureStyle;
}

/** A service to be created. */
export interface ServiceOptions extends ServiceInfo {
  settings: ServiceSettings;
  /** The app's root module. It can inject Clock, Log, Metrics, Readiness, CursorCodec (with CURSOR_KEY) and TokenVerifier. */
  module: Type | DynamicModule;
  /** Where the main port listens; default HOST and PORT of the settings. */
  listen?: { host: string; port: number };
  /** Default PUBLIC_URL, else the address it listens on. */
  publicUrl?: string;
  sideListeners?: readonly SideListener[];
  /** Runs before a 403 is answered, so that the service can write its audit row. A failure is logged; the answer stays 403. */
  onForbidden?: (event: ForbiddenEvent, app: NestFastifyApplication) => Promise<void>;
  clock?: Clock;
  /** For the issuers' keys. */
  fetch?: typeof fetch;
  /** Where log lines go; default stdout. */
  logDestination?: DestinationStream;
}

/** A service that was created, listening or not. */
export interface Service {
  app: NestFastifyApplication;
  log: Log;
  verifier: TokenVerifier;
  /** Address of the main port and of the side listeners by name, once it listens. */
  url: string;
  sideUrls: Readonly<Record<string, string>>;
  listen(): Promise<void>;
  /** Readiness turns 503, requests in flight end (30 s at most), everything is closed. */
  close(): Promise<void>;
}

/** Creates a service without listening. @throws Error naming every route with neither @Requires nor @Public */
export declare function createService(options: ServiceOptions): Promise<Service>;
/** Creates, listens, and shuts down on SIGTERM, SIGINT and with the parent (EXIT_WITH_PARENT). For main.ts: a start that fails is printed and exits 1. */
export declare function startService(
  options: ServiceOptions | (() => ServiceOptions | Promise<ServiceOptions>),
): Promise<Service>;
