import { SpanStatusCode } from '@opentelemetry/api';
import type { Span } from '@opentelemetry/api';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { answering, answerBrokenHttp } from './broken-http.ts';
import { BodyRoom, PersonRoom } from './body-room.ts';
import type { Failures } from './failures.ts';
import { checkHeaderSize, PARSED_HEADER_BYTES } from './header-size.ts';
import { type Guard, recogniseBy } from '../auth/guard.ts';
import { parseJsonBody } from '../json/json-body.ts';
import { writeJson } from '../json/json-text.ts';
import type { Log } from '../telemetry/log.ts';
import type { CallerCheck, OwnAccess } from '../routes/caller-check.ts';
import { timesGiven } from '../auth/raw-headers.ts';
import { BODY_BYTES } from '../routes/operation.ts';
import { fieldError, HttpError } from '../errors/http-error.ts';
import { pathOf } from './request-path.ts';
import { bodyTypesOf, ownAccess } from '../routes/route-facts.ts';
import { validationError } from '../errors/sentences.ts';
import { inRequest, RequestContext, requestIdOf } from '../telemetry/request-context.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Request id and trace of the request. */
    travel: RequestContext | undefined;
    span: Span | undefined;
  }
}

/** The parts that all ports of a service share. */
export interface HttpParts {
  failures: Failures;
  guard: Guard;
  log: Log;
  telemetry: Telemetry;
  /** Finds the object of a class that recognises callers. */
  checkOf(check: OwnAccess['check']): CallerCheck;
}

/** A route as it was registered. */
export interface RegisteredRoute {
  method: string;
  path: string;
  /** Whether the route has no access rule. */
  undeclared: boolean;
}

/** A prepared port. */
export interface HttpPort {
  routes: readonly RegisteredRoute[];
  /** Requests being served now. */
  inFlight(): number;
}

/** Longest time for a request to arrive, body included; its headers have 60 s at most. */
const ARRIVAL_MS = 120_000;
const HEADERS_ARRIVAL_MS = 60_000;
/** Longest time between two checks for requests that did not arrive in time. */
const ARRIVAL_CHECK_MS = 30_000;

/** Of all bodies together that are larger than usual, in work at a time. */
const LARGE_BODIES_BYTES = 256 * 1024 * 1024;
/** Of all bodies of one person together, in work at a time. */
const PERSON_BYTES = 64 * 1024 * 1024;

/** Fastify options of every port. @param arrivalMs longest time for a request to arrive */
export const serverOptions = (
  answerLate: () => Failures,
  arrivalMs: number = ARRIVAL_MS,
): FastifyHttpOptions<Server> => ({
  bodyLimit: BODY_BYTES,
  requestIdHeader: false,
  genReqId: (raw: IncomingMessage) => requestIdOf(raw.headers['x-request-id']),
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
 * Gives a fresh Fastify instance what every port has: request ids, logs, metrics, spans, guards,
 * strict JSON, failure bodies. Before any route.
 */
export function preparePort(server: FastifyInstance, parts: HttpParts): HttpPort {
  const routes: RegisteredRoute[] = [];
  const room = new BodyRoom(LARGE_BODIES_BYTES);
  const personRoom = new PersonRoom(PERSON_BYTES);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('ownCaller', undefined);
  server.decorateRequest('travel', undefined);
  server.decorateRequest('span', undefined);
  const inFlight = observe(server, parts);
  server.addHook('onRequest', checkHeaderSize);
  server.addHook('onRequest', checkHeaders);
  // Before the body is read: the body does not matter when the path does not exist.
  server.addHook('onRequest', (request, _reply, done) => done(request.is404 ? unroutable(request, routes) : undefined));
  server.addHook('preValidation', checkQuery);
  server.addHook('preValidation', checkPreconditions);
  server.addHook('preValidation', checkUnasked);
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1).
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));

  server.addHook('onRoute', (route) => {
    const facts = route.config?.gatehouse;
    const own = [route.onRequest ?? []].flat();
    const guarded = own.some((hook) => parts.guard.made(hook));
    for (const method of [route.method].flat())
      routes.push({ method, path: route.url, undeclared: facts?.access === undefined && !guarded });
    if (facts?.operation?.bodyLimit !== undefined) route.bodyLimit = facts.operation.bodyLimit;
    if (Array.isArray(facts?.access) && !guarded) route.onRequest = [parts.guard.hook(facts.access), ...own];
    const recognised = ownAccess(facts?.access);
    if (recognised) route.onRequest = [recogniseBy(() => parts.checkOf(recognised.check)), ...own];
    // After the guard, so that a refused request takes no room.
    if ((route.bodyLimit ?? 0) > BODY_BYTES)
      route.onRequest = [...[route.onRequest ?? []].flat(), room.hook(route.bodyLimit ?? 0)];
    if (mayHaveBody(route))
      route.onRequest = [...[route.onRequest ?? []].flat(), personRoom.hook(route.bodyLimit ?? BODY_BYTES)];
    const { rest } = facts?.operation ?? {};
    if (rest !== undefined) route.preValidation = [nameRest(rest), ...[route.preValidation ?? []].flat()];
    if (mayHaveBody(route)) {
      // Reading a body leaves the request's asynchronous context; the handler must run inside it
      // again.
      route.preValidation = [reenter, ...[route.preValidation ?? []].flat()];
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
  return { routes, inFlight };
}

const mayHaveBody = (route: RouteOptions): boolean =>
  [route.method].flat().some((method) => method !== 'GET' && method !== 'HEAD');

function reenter(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.travel) inRequest(request.travel, done);
  else done();
}

/** Gives the rest of the path, which the router calls `*`, its own name. */
const nameRest =
  (name: string) =>
  (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const { '*': rest, ...others } = request.params as Record<string, string>;
    request.params = { ...others, [name]: rest };
    done();
  };

/** Request ids, one log line and one measurement a request, a span where spans are on. */
function observe(server: FastifyInstance, { log, telemetry }: HttpParts): () => number {
  let inFlight = 0;
  const duration = telemetry.metrics.meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP requests',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
  });
  server.addHook('onRequest', (request, reply, done) => {
    inFlight += 1;
    answering.set(request.raw.socket, reply.raw);
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    reply.header('x-request-id', request.id);
    const received = request.headers['traceparent'];
    const travel = new RequestContext(request.id, typeof received === 'string' ? received : undefined);
    request.travel = travel;
    if (telemetry.tracer) {
      request.span = telemetry.tracer.begin(`${request.method} ${routeOf(request)}`, travel.knownTraceparent);
      travel.continueAs(request.span.spanContext());
    }
    inRequest(travel, done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000;
    const facts = {
      'http.request.method': request.method,
      'http.route': routeOf(request),
      'http.response.status_code': reply.statusCode,
    };
    duration.record(seconds, facts);
    if (request.span) {
      request.span.setAttributes(facts);
      if (reply.statusCode >= 500) request.span.setStatus({ code: SpanStatusCode.ERROR });
      request.span.end();
    }
    // The log names the route, because callers choose the text of a path. This hook runs outside
    // of the request context, so the fields of the context are given here.
    const caller = request.caller ?? request.ownCaller;
    log.info(
      {
        request_id: request.id,
        ...(request.travel?.traceId !== undefined && { trace_id: request.travel.traceId }),
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        duration_ms: Math.round(seconds * 1e6) / 1e3,
        ...(caller && { issuer_id: caller.issuerId, subject: caller.subject }),
      },
      'request',
    );
    done();
  });
  return () => inFlight;
}

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? '(no route)';

/**
 * Requires exactly one Host (RFC 9112 §3.2). Without it, or with two, servers on the way disagree
 * about the target of the request.
 */
function checkHeaders(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const hosts = timesGiven(request.raw.rawHeaders, 'host');
  const fine = hosts === 1 || (hosts === 0 && request.raw.httpVersion === '1.0');
  done(fine ? undefined : new HttpError('invalid', 'Host: must be there once'));
}

/**
 * Refuses a percent sign that encodes nothing, as in a path. The query parser would accept it.
 */
function checkQuery(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const [, query = ''] = request.url.split('?', 2);
  try {
    if (query.includes('%')) decodeURIComponent(query);
    done();
  } catch {
    done(new HttpError('invalid', 'query: has a percent sign that encodes nothing'));
  }
}

/**
 * Refuses a query or a body that an operation with roles does not take, like unknown fields. Public
 * operations and protocols with callers of their own ignore such fields.
 */
function checkUnasked(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  done(unasked(request));
}

function unasked(request: FastifyRequest): HttpError | undefined {
  const { access, operation, takes } = request.routeOptions.config.gatehouse ?? {};
  if (!Array.isArray(access) || operation === undefined || takes === undefined) return undefined;
  const body: unknown = takes.body ? undefined : (request.body ?? undefined);
  if (body !== undefined && (typeof body !== 'object' || Array.isArray(body)))
    return new HttpError('invalid', 'body: this operation takes none');
  const query = takes.query ? {} : (request.query as object);
  const unknown = [...Object.keys(query), ...Object.keys(body ?? {})];
  return unknown.length === 0
    ? undefined
    : validationError(unknown.map((field) => ({ message: 'is not a known field', path: [field] })));
}

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * If-None-Match on a write asks that nothing be there yet (RFC 9110 §13.1.2). An operation that
 * does not look at it would overwrite, so it refuses. Of reads no harm comes: If-Match is for those
 * who change something, and is ignored there (§13.1.1 leaves it to the server).
 */
function checkPreconditions(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const { operation } = request.routeOptions.config.gatehouse ?? {};
  const ignored =
    operation && !operation.ifNoneMatch && !SAFE.has(request.method) && 'if-none-match' in request.headers;
  done(ignored ? fieldError('invalid', 'If-None-Match', 'must not be given: a change takes If-Match only') : undefined);
}

/**
 * A route that says nothing takes application/json alone. Its text is UTF-8 (RFC 8259 §8.1):
 * another charset would be read as what it is not.
 */
function checkContentType(request: FastifyRequest): void {
  if (timesGiven(request.raw.rawHeaders, 'content-type') > 1)
    throw new HttpError('invalid', 'Content-Type: must be there once');
  const coding = request.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity')
    throw new HttpError('unsupported_media_type', 'Content-Encoding: must not be given, the body is taken as it is');
  const accepted = bodyTypesOf(request.routeOptions.config.gatehouse);
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

/** 405 when the path exists with other methods, else 404. */
function unroutable(request: FastifyRequest, routes: readonly RegisteredRoute[]): HttpError {
  const path = pathOf(request.url);
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
