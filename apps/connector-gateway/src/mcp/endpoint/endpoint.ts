import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { RequestId, RpcErrorResponse } from '@gatehouse/mcp/errors';
import { classifyPost } from '@gatehouse/mcp/classify';
import { type ReadMessage, readValue, type RpcRequest } from '@gatehouse/mcp/json-rpc';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getUserKey } from '../access/directory-view.ts';
import type { Plane } from '../calls/plane.ts';
import { readReplica } from '../calls/request-states.ts';
import { recordRejectedCall } from '../calls/rejected-calls.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { BytesInFlight } from '../http/bytes-in-flight.ts';
import { readJson, sendRefusal } from '../http/read-json.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';
import { StreamCount } from '../http/stream-count.ts';
import type { ForwardedRequest } from '../ports/replicas.ts';
import { ActivityCheck } from './activity-check.ts';
import { Addresses, type AddressOptions } from './addresses.ts';
import { type Authenticated, authenticate } from './authentication.ts';
import { createForwarded } from './forwarded-requests.ts';
import { accept, checkAccept, checkHttpMethod, type HttpExchange, readPostedHeaders } from './http-exchange.ts';
import type { GrantCheck, VerifiedTokens } from '../ports/verified-tokens.ts';
import type { LegacyEndpoint } from './legacy.ts';
import { checkIds } from './message-ids.ts';
import type { ModernEndpoint } from './modern.ts';

/** Addresses and identity checks of the endpoint. */
export interface EndpointOptions extends AddressOptions {
  verifier: TokenVerifier;
  /** Remembers the verified tokens of callers. */
  tokens: VerifiedTokens;
  /** Fires when the service shuts down and ends open streams. */
  shutdown: AbortSignal;
}

/**
 * The MCP endpoint over streamable HTTP: `/mcp` serves all connectors of a user, `/mcp/{slug}`
 * serves one connector. Both protocol eras share the addresses; a request shows its era. Every
 * request carries a bearer token (RFC 6750), and protected resource metadata names its issuers (RFC
 * 9728).
 */
export class Endpoint {
  private readonly activity: ActivityCheck;
  private readonly addresses: Addresses;
  private readonly streams: StreamCount;
  private readonly bytes: BytesInFlight;

  constructor(
    private readonly plane: Plane,
    private readonly legacy: LegacyEndpoint,
    private readonly modern: ModernEndpoint,
    private readonly options: EndpointOptions,
  ) {
    this.activity = new ActivityCheck(plane.directory);
    this.addresses = new Addresses(options);
    this.streams = new StreamCount(plane.limits.streamsPerUser);
    this.bytes = new BytesInFlight(plane.limits.bytesPerUser);
  }

  /** Serves one request. An unknown path gets 404. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      // No client is left to read the response.
      if (request.destroyed && !request.complete) response.destroy();
      else this.refuse(response, error);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    this.addresses.check(request);
    if (this.addresses.serveMetadata(request, response, path)) return;
    const scope = this.addresses.readScope(path, queryAt < 0 ? undefined : url.slice(queryAt + 1));
    checkHttpMethod(request);
    const found = this.authenticate(request, path);
    // A known user needs no turn: most requests are served in few turns.
    const authenticated = found instanceof Promise ? await found : found;
    const { user } = authenticated;
    const admission = this.activity.admit(user, response);
    if (admission !== undefined) await admission;
    // A closed response emits no further event that would release the resources of the request.
    if (response.closed) return;
    const held = this.bytes.startRequest(getUserKey(user));
    response.once('close', () => held.release());
    const exchange: HttpExchange = {
      request,
      response,
      held,
      forward: (url, message) =>
        this.plane.replicas.forward(url, createForwarded(request, authenticated, scope, message), response),
    };
    if (request.method === 'POST') await this.post(request, exchange, authenticated, scope);
    else if (request.method === 'DELETE') await this.legacy.delete(exchange, user, scope);
    else {
      this.boundStream(exchange, authenticated);
      await this.legacy.openStream(exchange, user, scope);
    }
  }

  private authenticate(request: IncomingMessage, path: string): Authenticated | Promise<Authenticated> {
    const { verifier, tokens } = this.options;
    return authenticate(request, verifier, this.addresses.getResource(path), tokens);
  }

  private async post(
    request: IncomingMessage,
    exchange: HttpExchange,
    authenticated: Authenticated,
    scope: EndpointScope,
  ): Promise<void> {
    const { response, held } = exchange;
    const { user } = authenticated;
    checkAccept(request);
    const body = await readJson(request, this.plane.limits, held);
    const read = readValue(body.value);
    try {
      if (read.kind === 'invalid') throw createProtocolRefusal(400, read.error.error);
      checkIds(read.message);
      if (!this.isModern(request, read)) {
        await this.legacy.post(exchange, user, scope, { read, body });
        return;
      }
      // Clients of this era send no notifications and no responses. They are accepted and ignored.
      if (read.kind !== 'request') {
        accept(exchange);
        return;
      }
      if (read.message.method === 'subscriptions/listen') this.boundStream(exchange, authenticated);
      const replica = readReplica(read.message.params?.['requestState']);
      if (replica !== undefined && (await this.forwardTo(replica, exchange, read.message))) return;
      await this.modern.post(exchange, user, scope, read.message);
    } catch (error) {
      if (!(error instanceof HttpRefusalError)) throw error;
      // A malformed message may be a tool call too.
      if (read.kind !== 'notification') await recordRejectedCall(this.plane, scope, user, body.value);
      sendRefusal(response, error, readRequestId(read));
    }
  }

  /**
   * Lets another replica continue a call that waits there for the input of its client.
   * @returns false if this one is to answer @throws HttpRefusalError 503 if that replica stops
   */
  private async forwardTo(replica: string, { forward, response }: HttpExchange, message: RpcRequest): Promise<boolean> {
    if (replica === this.plane.replicas.id || forward === undefined) return false;
    const url = await this.plane.replicas.findUrl(replica);
    if (url === undefined) return false;
    try {
      return await forward(url, message);
    } catch (error) {
      if (response.headersSent) throw error;
      this.plane.log.warn({ err: error }, 'the replica of a waiting call did not answer');
      throw new HttpRefusalError(503, -32603, 'the replica of this call stopped; the call may have run');
    }
  }

  /**
   * Serves a request that another replica authenticated: the resumption of a stream of this one, or
   * the next request for a call that waits here.
   */
  async serveForwarded(forwarded: ForwardedRequest, response: ServerResponse): Promise<void> {
    const { method, slug, mode, headers, user, expiresAt, message } = forwarded;
    try {
      await this.activity.admit(user, response);
      if (response.closed) return;
      const held = this.bytes.startRequest(getUserKey(user));
      response.once('close', () => held.release());
      const exchange: HttpExchange = { request: { headers }, response, held, forward: undefined };
      const scope = { slug: slug ?? undefined, mode: mode ?? undefined };
      if (method === 'GET') {
        this.boundStream(exchange, { user, expiresAt: new Date(expiresAt) });
        await this.legacy.openStream(exchange, user, scope);
        return;
      }
      const read = readValue(message);
      if (read.kind !== 'request') throw new HttpRefusalError(400, -32600, 'only requests are forwarded');
      await this.modern.post(exchange, user, scope, read.message);
    } catch (error) {
      this.refuse(response, error);
    }
  }

  private refuse(response: ServerResponse, error: unknown): void {
    const isRefusal = error instanceof HttpRefusalError;
    if (!isRefusal) this.plane.log.error({ err: error }, 'a request failed');
    sendRefusal(response, isRefusal ? error : new HttpRefusalError(500, -32603, 'internal error'));
  }

  /** Whether a message belongs to the era without sessions. @throws HttpRefusalError */
  private isModern(request: IncomingMessage, read: Exclude<ReadMessage, { kind: 'invalid' }>): boolean {
    if (read.kind === 'response') return false;
    const classified = classifyPost(readPostedHeaders(request), read.message);
    if (classified.era === 'refused') throw createProtocolRefusal(classified.status, classified.error.error);
    return classified.era === 'modern';
  }

  /**
   * Counts a standing stream, and ends it with its token, its grant and the service.
   * @throws HttpRefusalError 429 above the limit of the user
   */
  private boundStream({ response }: HttpExchange, { user, expiresAt, hasGrant }: Authenticated): void {
    const release = this.streams.add(getUserKey(user));
    const end = () => response.destroyed || response.end();
    const untilExpiry = Math.max(expiresAt.getTime() - this.plane.now().getTime(), 0);
    const expiry = setTimeout(end, Math.min(untilExpiry, MAX_TIMER_MS)).unref();
    const watch = hasGrant && setInterval(() => void endWithGrant(hasGrant, end), GRANT_CHECK_MS).unref();
    this.options.shutdown.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      release();
      clearTimeout(expiry);
      clearInterval(watch);
      this.options.shutdown.removeEventListener('abort', end);
    });
  }
}

/** The id that an error response repeats; undefined for a message that is no request. */
function readRequestId(read: ReadMessage): RequestId | undefined {
  if (read.kind === 'invalid') return read.error.id;
  return read.kind === 'request' ? read.message.id : undefined;
}

/** Interval of the checks of the grant of an open stream. */
const GRANT_CHECK_MS = 1_000;

/** Ends a stream after the end of its grant. A check that fails leaves it open until the next. */
async function endWithGrant(hasGrant: GrantCheck, end: () => void): Promise<void> {
  const isActive = await Promise.resolve(hasGrant()).catch(() => true);
  if (!isActive) end();
}

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2_147_483_647;

const createProtocolRefusal = (status: number, { code, message, data }: RpcErrorResponse['error']): HttpRefusalError =>
  new HttpRefusalError(status, code, message, {}, data as Record<string, unknown> | undefined);
