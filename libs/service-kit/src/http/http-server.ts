import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerBrokenHttp } from './broken-http.ts';
import { LargeBodyLimiter, UserBodyLimiter } from './body-limiter.ts';
import type { Failures } from './failures.ts';
import { checkHeaderSize, PARSED_HEADER_BYTES } from './header-size.ts';
import { authenticateBy, type Guard } from '../auth/guard.ts';
import { parseJsonBody } from '../json/json-body.ts';
import { writeJson } from '../json/json-text.ts';
import type { Log } from '../telemetry/log.ts';
import type { CallerCheck, OwnAccess } from '../routes/caller-check.ts';
import { countHeader } from '../auth/raw-headers.ts';
import { BODY_BYTES } from '../routes/operation.ts';
import { fieldError, HttpError } from '../errors/http-error.ts';
import { type ObservedRequest, RequestObserver } from './request-observer.ts';
import { getRequestPath } from './request-path.ts';
import { getBodyContentTypes, ownAccess } from '../routes/route-facts.ts';
import { validationError } from '../errors/sentences.ts';
import { inRequest, readOrCreateRequestId } from '../telemetry/request-context.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    observed: ObservedRequest | undefined;
  }
}

/** The parts that all ports of a service share. */
export interface HttpParts {
  failures: Failures;
  guard: Guard;
  log: Log;
  telemetry: Telemetry;
  /** Finds the instance of a class that authenticates callers. */
  getCallerCheck(check: OwnAccess['check']): CallerCheck;
}

/** A registered route. */
export interface RegisteredRoute {
  method: string;
  path: string;
  /** Whether the route has no access rule. */
  isUndeclared: boolean;
}

/** A prepared port. */
export interface HttpPort {
  routes: readonly RegisteredRoute[];
  observer: RequestObserver;
}

/** Longest time for a request to arrive, with its body; its headers have at most 60 s. */
const ARRIVAL_MS = 120_000;
const HEADERS_ARRIVAL_MS = 60_000;
/** Longest time between two checks for requests that did not arrive in time. */
const ARRIVAL_CHECK_MS = 30_000;

/** Maximum size of all large bodies that are processed at a time. */
const LARGE_BODIES_BYTES = 256 * 1024 * 1024;
/** Maximum size of all bodies of one user that are processed at a time. */
const USER_BYTES = 64 * 1024 * 1024;

/** Fastify options of every port. @param arrivalMs longest time for a request to arrive */
export const serverOptions = (
  answerLate: () => Failures,
  arrivalMs: number = ARRIVAL_MS,
): FastifyHttpOptions<Server> => ({
  bodyLimit: BODY_BYTES,
  requestIdHeader: false,
  genReqId: (raw: IncomingMessage) => readOrCreateRequestId(raw.headers['x-request-id']),
  logger: false,
  routerOptions: { maxParamLength: 1024 },
  requestTimeout: arrivalMs,
  // checkHeaders answers in the service's own failure body; Node's answer is empty.
  http: {
    requireHostHeader: false,
    maxHeaderSize: PARSED_HEADER_BYTES,
    headersTimeout: Math.min(HEADERS_ARRIVAL_MS, arrivalMs),
    connectionsCheckingInterval: Math.min(ARRIVAL_CHECK_MS, arrivalMs),
  },
  return503OnClosing: false,
  forceCloseConnections: true,
  frameworkErrors: (error, request, reply) => {
    reply.header('x-request-id', request.id);
    void answerLate().answer(error, request, reply);
  },
  clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerBrokenHttp(answerLate(), error, socket),
});

/**
 * Adds to a new Fastify instance the request ids, logs, metrics, spans, guards, strict JSON and
 * failure bodies of every port. Call it before routes are added.
 */
export function preparePort(server: FastifyInstance, parts: HttpParts): HttpPort {
  const routes: RegisteredRoute[] = [];
  const largeBodies = new LargeBodyLimiter(LARGE_BODIES_BYTES);
  const userBodies = new UserBodyLimiter(USER_BYTES);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('ownCaller', undefined);
  server.decorateRequest('observed', undefined);
  const observer = new RequestObserver(parts);
  observe(server, observer);
  server.addHook('onRequest', checkHeaderSize);
  server.addHook('onRequest', checkHeaders);
  // An unknown path is refused before the body is read.
  server.addHook('onRequest', (request, _reply, done) => done(request.is404 ? unroutable(request, routes) : undefined));
  server.addHook('preValidation', checkQuery);
  server.addHook('preValidation', checkPreconditions);
  server.addHook('preValidation', checkUnexpectedInput);
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1).
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));

  server.addHook('onRoute', (route) => {
    const facts = route.config?.gatehouse;
    const own = [route.onRequest ?? []].flat();
    const guarded = own.some((hook) => parts.guard.isOwnHook(hook));
    for (const method of [route.method].flat())
      routes.push({ method, path: route.url, isUndeclared: facts?.access === undefined && !guarded });
    if (facts?.operation?.bodyLimit !== undefined) route.bodyLimit = facts.operation.bodyLimit;
    if (Array.isArray(facts?.access) && !guarded) route.onRequest = [parts.guard.hook(facts.access), ...own];
    const ownRule = ownAccess(facts?.access);
    if (ownRule) route.onRequest = [authenticateBy(() => parts.getCallerCheck(ownRule.check)), ...own];
    // The limits come after the guard, so that a refused request does not count.
    if ((route.bodyLimit ?? 0) > BODY_BYTES)
      route.onRequest = [...[route.onRequest ?? []].flat(), largeBodies.hook(route.bodyLimit ?? 0)];
    if (mayHaveBody(route))
      route.onRequest = [...[route.onRequest ?? []].flat(), userBodies.hook(route.bodyLimit ?? BODY_BYTES)];
    const { rest } = facts?.operation ?? {};
    if (rest !== undefined) route.preValidation = [nameRest(rest), ...[route.preValidation ?? []].flat()];
    if (mayHaveBody(route)) {
      // The asynchronous context of the request is lost while the body is read.
      route.preValidation = [restoreContext, ...[route.preValidation ?? []].flat()];
    }
  });

  server.setReplySerializer(writeJson);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:$|;)/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      checkContentType(request);
      return parseJsonBody(body, request.routeOptions.config.gatehouse?.operation);
    },
  );
  server.setErrorHandler((error, request, reply) => parts.failures.answer(error, request, reply));
  server.setNotFoundHandler((request, reply) => parts.failures.answer(unroutable(request, routes), request, reply));
  return { routes, observer };
}

const mayHaveBody = (route: RouteOptions): boolean =>
  [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD');

function restoreContext(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.observed) inRequest(request.observed.context, done);
  else done();
}

/** Renames the parameter `*`, the rest of the path. */
const nameRest =
  (name: string) =>
  (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const { '*': rest, ...others } = request.params as Record<string, string>;
    request.params = { ...others, [name]: rest };
    done();
  };

/** Adds a request id, a log line, a duration and, if enabled, a span to each request. */
function observe(server: FastifyInstance, observer: RequestObserver): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const observed = observer.begin(request.raw, reply.raw, request.id, getRoutePattern(request));
    request.observed = observed;
    inRequest(observed.context, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const caller = request.caller ?? request.ownCaller;
    if (request.observed !== undefined)
      observer.end(request.observed, { status: reply.statusCode, durationMs: reply.elapsedTime, caller });
    done();
  });
}

const getRoutePattern = (request: FastifyRequest): string => request.routeOptions.url ?? '(no route)';

/**
 * Requires exactly one Host (RFC 9112 §3.2). Otherwise proxies can disagree about the target of the
 * request.
 */
function checkHeaders(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const hosts = countHeader(request.raw.rawHeaders, 'host');
  const fine = hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0');
  done(fine ? undefined : new HttpError('invalid', 'Host: must be sent exactly once'));
}

/** Refuses an invalid percent encoding in the query, which the query parser would accept. */
function checkQuery(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const [, query = ''] = request.url.split('?', 2);
  try {
    if (query.includes('%')) decodeURIComponent(query);
    done();
  } catch {
    done(new HttpError('invalid', 'query: has a percent sign without two hexadecimal digits after it'));
  }
}

/**
 * Refuses a query or a body for an operation without one, if the operation has roles. Other
 * operations ignore it.
 */
function checkUnexpectedInput(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  done(findUnexpectedInput(request));
}

function findUnexpectedInput(request: FastifyRequest): HttpError | undefined {
  const { access, operation, takes } = request.routeOptions.config.gatehouse ?? {};
  if (!Array.isArray(access) || operation === undefined || takes === undefined) return undefined;
  const body: unknown = takes.body ? undefined : (request.body ?? undefined);
  if (body !== undefined && (typeof body !== 'object' || Array.isArray(body)))
    return new HttpError('invalid', 'body: must be empty, since the operation has no request body');
  const query = takes.query ? {} : (request.query as object);
  const unknown = [...Object.keys(query), ...Object.keys(body ?? {})];
  return unknown.length === 0
    ? undefined
    : validationError(unknown.map((field) => ({ message: 'is not a known field', path: [field] })));
}

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses If-None-Match with a write (RFC 9110 §13.1.2): the operation would ignore the header and
 * overwrite an existing object. If-Match with a read is ignored, as §13.1.1 allows.
 */
function checkPreconditions(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const { operation } = request.routeOptions.config.gatehouse ?? {};
  const ignored =
    operation && !operation.ifNoneMatch && !SAFE.has(request.method) && 'if-none-match' in request.headers;
  done(
    ignored
      ? fieldError('invalid', 'If-None-Match', 'must not be sent with a change; send If-Match instead')
      : undefined,
  );
}

/**
 * Requires a content type of the route, by default application/json, and the charset UTF-8 (RFC
 * 8259 §8.1).
 */
function checkContentType(request: FastifyRequest): void {
  if (countHeader(request.raw.rawHeaders, 'content-type') > 1)
    throw new HttpError('invalid', 'Content-Type: must be sent exactly once');
  const coding = request.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity')
    throw new HttpError(
      'unsupported_media_type',
      'Content-Encoding: must not be sent; send the body without an encoding',
    );
  const accepted = getBodyContentTypes(request.routeOptions.config.gatehouse);
  const header = request.headers['content-type'] ?? '';
  const given = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!accepted.includes(given))
    throw new HttpError('unsupported_media_type', `Content-Type: must be ${accepted.join(' or ')}`);
  for (const [, charset = ''] of header.matchAll(CHARSET)) {
    if (!/^(?:utf-?8|"utf-?8")$/i.test(charset.trim()))
      throw new HttpError('unsupported_media_type', 'Content-Type: charset must be utf-8');
  }
}

const CHARSET = /;\s*charset\s*(?:=|(?=;|$))([^;]*)/gi;

/** The refusal of an unknown route: 405 when the path has other methods, else 404. */
function unroutable(request: FastifyRequest, routes: readonly RegisteredRoute[]): HttpError {
  const path = getRequestPath(request.url);
  const allowed = new Set(routes.filter((route) => matches(route.path, path)).map((route) => route.method));
  if (allowed.size === 0 || allowed.has(request.method))
    return new HttpError('not_found', 'there is nothing at this path');
  const allow = [...allowed].sort().join(', ');
  return new HttpError('method_not_allowed', `this path takes ${allow}`, { headers: { allow } });
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (pattern.includes('*')) return false;
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
