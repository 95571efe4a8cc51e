import { AuthError } from '@gatehouse/auth/auth-error';
import { RESOURCE_METADATA_PATH, getResourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { isGatewayOnly } from '@gatehouse/auth/roles';
import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { type AuthInfo, isLegacyRequest } from '@modelcontextprotocol/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedUser } from '../access/access.ts';
import { BytesInFlight } from '../http/bytes-in-flight.ts';
import { type JsonBody, readJson, sendRefusal, sendResponse, toWebRequest } from '../http/http-io.ts';
import { HttpRefusalError, createTooManyRequestsRefusal } from '../http/http-refusal.ts';
import type { Limits } from '../ports/limits.ts';
import type { LiveViews } from '../sessions/live-views.ts';
import type { ModernHandlers } from './modern-handlers.ts';
import { type CallRecordState, type Plane } from '../calls/plane.ts';
import { DirectoryUnavailableError, getUserKey } from '../access/directory-view.ts';
import { type LiveSession, type Sessions } from '../sessions/sessions.ts';
import { type SessionOwner, TooManySessionsError } from '../ports/session-store.ts';
import { StreamCount } from '../http/stream-count.ts';
import { checkInitialize } from './initialize.ts';
import { recordMalformedCall, recordRejectedCall } from './rejected-calls.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { onDisconnect } from '../http/on-disconnect.ts';

/** Addresses, issuers and origins of the endpoint. */
export interface EndpointOptions {
  /** Address under which clients reach the gateway, without a trailing slash. */
  publicUrl: () => string;
  /** Issuers whose tokens are accepted, for the resource metadata. */
  issuers: readonly string[];
  verifier: TokenVerifier;
  /** Allowed values of the Host header. */
  allowedHosts: () => ReadonlySet<string>;
  /** Fires when the service shuts down and ends open streams. */
  shutdown: AbortSignal;
  /** Allowed values of the Origin header. Clients other than web pages send no Origin. */
  allowedOrigins: ReadonlySet<string>;
}

interface AuthenticatedRequest {
  user: AuthenticatedUser;
  authInfo: AuthInfo;
  expiresAt: Date;
}

/** Interval at which the gateway checks that the user of an open response is still active. */
const INACTIVE_CHECK_MS = 400;

const ENDPOINT = /^\/mcp(?:\/([a-z0-9-]{1,64}))?$/;

/**
 * The MCP endpoint over streamable HTTP: `/mcp` serves all connectors of a user, `/mcp/{slug}`
 * serves one connector. Both protocol eras share the addresses; a request shows its era. Every
 * request carries a bearer token (RFC 6750), and protected resource metadata names its issuers (RFC
 * 9728).
 */
export class Endpoint {
  private readonly streams: StreamCount;
  private readonly bytes: BytesInFlight;

  constructor(
    private readonly plane: Plane,
    private readonly sessions: Sessions,
    private readonly modern: ModernHandlers,
    private readonly live: LiveViews,
    private readonly options: EndpointOptions,
  ) {
    this.streams = new StreamCount(plane.limits.streamsPerUser);
    this.bytes = new BytesInFlight(plane.limits.bytesPerUser);
  }

  /** Serves one request. An unknown path gets 404. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      const isRefusal = error instanceof HttpRefusalError;
      // No client is left to read the response.
      if (request.destroyed && !request.complete) return void response.destroy();
      if (!isRefusal) this.plane.log.error({ err: error }, 'a request failed');
      sendRefusal(response, isRefusal ? error : new HttpRefusalError(500, -32603, 'internal error'));
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? '';
    this.checkAddress(request);
    if (path.startsWith(RESOURCE_METADATA_PATH)) {
      this.sendMetadata(request, response, path.slice(RESOURCE_METADATA_PATH.length));
      return;
    }
    const match = ENDPOINT.exec(path);
    if (match === null) throw createPathNotFoundRefusal();
    const authenticated = await this.authenticate(request, path, () => response.writableNeedDrain);
    await this.refuseInactive(authenticated.user);
    // A closed response emits no further event that would release the resources of the request.
    if (response.closed) return;
    this.watchActivity(authenticated.user, response);
    await this.serve(request, response, authenticated, match[1], path);
  }

  /** Refuses foreign web pages and rebound DNS names. */
  private checkAddress(request: IncomingMessage): void {
    const { allowedHosts, allowedOrigins } = this.options;
    const host = parseHostname(request.headers.host);
    const hosts = allowedHosts();
    if (host === undefined || !(hosts.has('*') || hosts.has(host)))
      throw new HttpRefusalError(403, -32600, 'the Host header names a foreign host');
    const origins = request.headersDistinct['origin'] ?? [];
    if (
      origins.length > 1 ||
      !origins.every((origin) => allowedOrigins.has(origin) || origin === new URL(this.options.publicUrl()).origin)
    ) {
      throw new HttpRefusalError(403, -32600, 'requests of this origin are not allowed');
    }
  }

  /**
   * @param suffix the part of the path after the well-known prefix: the path of the public address,
   * then the path of the resource (RFC 9728 §3.1)
   */
  private sendMetadata(request: IncomingMessage, response: ServerResponse, suffix: string): void {
    const prefix = new URL(this.options.publicUrl()).pathname.replace(/\/$/, '');
    const path = suffix.startsWith(`${prefix}/`) || suffix === prefix ? suffix.slice(prefix.length) : suffix;
    if (request.method !== 'GET') throw new HttpRefusalError(405, -32601, 'only GET is served here', { allow: 'GET' });
    if (path !== '' && !ENDPOINT.test(path)) throw createPathNotFoundRefusal();
    const body = JSON.stringify({
      resource: this.getResource(path === '' ? '/mcp' : path),
      authorization_servers: this.options.issuers,
      bearer_methods_supported: ['header'],
      resource_name: 'Gatehouse connector gateway',
    });
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
      })
      .end(body);
  }

  /** The protected resource of a path: the `resource` of its metadata and an accepted audience. */
  private getResource(path: string): string {
    return `${this.options.publicUrl()}${path}`;
  }

  private async authenticate(
    request: IncomingMessage,
    path: string,
    isClientSlow: () => boolean,
  ): Promise<AuthenticatedRequest> {
    const metadata = `resource_metadata="${getResourceMetadataUrl(this.getResource(path))}"`;
    const values = request.headersDistinct['authorization'] ?? [];
    const token = values.length === 1 ? /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(values[0] ?? '')?.[1] : undefined;
    if (token === undefined)
      throw new HttpRefusalError(401, -32001, 'a bearer token is needed', { 'www-authenticate': `Bearer ${metadata}` });
    let verified;
    try {
      verified = await this.options.verifier.verify(token, this.getResource(path));
    } catch (error) {
      if (error instanceof AuthError && error.code === 'unavailable') {
        throw new HttpRefusalError(503, -32603, 'the token issuer cannot be reached to check the token', {
          'retry-after': '2',
        });
      }
      throw new HttpRefusalError(401, -32001, 'the token is not valid here', {
        'www-authenticate': `Bearer ${metadata}, error="invalid_token"`,
      });
    }
    if (isGatewayOnly(verified.roles)) throw new HttpRefusalError(403, -32001, 'gateway tokens cannot call MCP');
    const { issuer, subject, email, claims, expiresAt } = verified;
    const user: AuthenticatedUser = { issuer, subject, email, claims };
    return {
      user,
      expiresAt,
      authInfo: { token: '', clientId: getUserKey(user), scopes: [], extra: { user, isClientSlow } },
    };
  }

  /**
   * Refuses a user after deactivation in the directory. While the directory is unavailable, each
   * message checks the rights itself.
   */
  private async refuseInactive(user: AuthenticatedUser): Promise<void> {
    if (await this.isInactive(user)) throw new HttpRefusalError(403, -32001, 'no active directory entry');
  }

  /** Ends an open response or stream when its user is deactivated. */
  private watchActivity(user: AuthenticatedUser, response: ServerResponse): void {
    const check = () =>
      this.isInactive(user).then(
        (inactive) => {
          if (inactive) response.destroy();
        },
        (error: unknown) => this.plane.log.warn({ err: error }, 'the activity of a user could not be checked'),
      );
    const watch = setInterval(() => void check(), INACTIVE_CHECK_MS);
    response.once('close', () => clearInterval(watch));
  }

  private async isInactive(user: AuthenticatedUser): Promise<boolean> {
    try {
      return await this.plane.directory.isInactive(user);
    } catch (error) {
      if (error instanceof DirectoryUnavailableError) return false;
      throw error;
    }
  }

  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
    authenticated: AuthenticatedRequest,
    slug: string | undefined,
    path: string,
  ): Promise<void> {
    const { limits } = this.plane;
    const disconnected = new AbortController();
    response.on('close', () => disconnected.abort());
    const held = this.bytes.startRequest(getUserKey(authenticated.user));
    response.on('close', () => held.release());
    const read = request.method === 'POST' ? await readJson(request, limits, held) : undefined;
    const body = read?.value;
    if (Array.isArray(body))
      throw new HttpRefusalError(400, -32600, 'batches are not supported: post one message at a time');
    const scope = { slug };
    const { user, authInfo } = authenticated;
    const callRecord: CallRecordState = { isRecorded: await recordMalformedCall(this.plane, scope, user, body) };
    const web = toWebRequest(request, new URL(path, this.options.publicUrl()), disconnected.signal);
    const tracked: AuthenticatedRequest = {
      ...authenticated,
      authInfo: { ...authInfo, extra: { ...authInfo.extra, callRecord } },
    };
    const recordRejection = async () => {
      if (!callRecord.isRecorded) await recordRejectedCall(this.plane, scope, user, body);
    };
    const isStream = isStandingStream(request, body);
    if (isStream) this.streams.add(getUserKey(user), disconnected.signal);
    let dispatched: Response;
    try {
      dispatched = await this.dispatch(web, tracked, scope, read, disconnected.signal);
    } catch (error) {
      if (error instanceof HttpRefusalError) await recordRejection();
      throw error;
    }
    if (dispatched.status >= 400) await recordRejection();
    // A stream may outlive its request, but not its token.
    const ends = isStream
      ? AbortSignal.any([
          disconnected.signal,
          this.options.shutdown,
          createExpirySignal(authenticated.expiresAt, this.plane.now()),
        ])
      : disconnected.signal;
    await sendResponse(response, dispatched, ends, held);
  }

  /** Serves a request in its protocol era: with sessions (legacy) or without (modern). */
  private async dispatch(
    web: Request,
    authenticated: AuthenticatedRequest,
    scope: EndpointScope,
    read: JsonBody | undefined,
    disconnected: AbortSignal,
  ): Promise<Response> {
    const body = read?.value;
    if (web.method !== 'POST' || (await isLegacyRequest(web, body ?? null)))
      return this.serveLegacy(web, authenticated, scope.slug, read, disconnected);
    return this.modern
      .get(authenticated.user, scope)
      .fetch(web, { authInfo: authenticated.authInfo, parsedBody: body }, disconnected);
  }

  private async serveLegacy(
    web: Request,
    authenticated: AuthenticatedRequest,
    slug: string | undefined,
    read: JsonBody | undefined,
    disconnected: AbortSignal,
  ): Promise<Response> {
    const body = read?.value;
    const { issuer, subject } = authenticated.user;
    const owner: SessionOwner = { issuer, subject, slug: slug ?? null };
    const id = web.headers.get('mcp-session-id');
    if (id === null) {
      if (read === undefined || !isInitialize(body))
        throw new HttpRefusalError(400, -32000, 'the Mcp-Session-Id header is needed: begin with initialize');
      checkInitialize(read);
      return this.beginSession(owner, web, authenticated, body, disconnected);
    }
    const session = await this.sessions.find(id, owner);
    if (session === undefined) throw new HttpRefusalError(404, -32001, 'session not found');
    if (web.method === 'DELETE') {
      await this.sessions.end(id);
      return new Response(null, { status: 200 });
    }
    if (web.method === 'GET') this.notifyListChanged(session, authenticated.user, slug, disconnected);
    return this.handleInSession(session, web, authenticated, body, disconnected);
  }

  private async beginSession(
    owner: SessionOwner,
    web: Request,
    authenticated: AuthenticatedRequest,
    body: Record<string, unknown>,
    disconnected: AbortSignal,
  ): Promise<Response> {
    const { id, session } = await this.sessions.begin(owner, body).catch((error: unknown) => {
      throw error instanceof TooManySessionsError ? createTooManySessionsRefusal(this.plane.limits) : error;
    });
    const response = await this.handleInSession(session, web, authenticated, body, disconnected);
    if (response.status >= 400) await this.sessions.end(id);
    return response;
  }

  /**
   * Serves a request in its session. The session counts as in use until the client has
   * disconnected.
   */
  private handleInSession(
    session: LiveSession,
    web: Request,
    { authInfo }: AuthenticatedRequest,
    body: unknown,
    disconnected: AbortSignal,
  ): Promise<Response> {
    session.open += 1;
    onDisconnect(disconnected, () => {
      session.open -= 1;
    });
    return session.transport.handleRequest(web, { authInfo, ...(body !== undefined && { parsedBody: body }) });
  }

  private notifyListChanged(
    session: LiveSession,
    user: AuthenticatedUser,
    slug: string | undefined,
    disconnected: AbortSignal,
  ): void {
    const end = this.live.watch(user, { slug }, (kind) => {
      void session.server.notification({ method: `notifications/${kind}/list_changed` }).catch(() => undefined);
    });
    onDisconnect(disconnected, end);
  }
}

const createPathNotFoundRefusal = (): HttpRefusalError =>
  new HttpRefusalError(404, -32601, 'there is nothing at this path');

const createTooManySessionsRefusal = ({ sessionsPerUser, sessionInUseMs }: Limits): HttpRefusalError =>
  createTooManyRequestsRefusal(
    `you have ${sessionsPerUser} sessions, the most that a user may have, and all are in use: end one with DELETE, or try again later`,
    sessionInUseMs / 1_000,
  );

const isInitialize = (body: unknown): body is Record<string, unknown> =>
  body !== null && typeof body === 'object' && 'method' in body && body.method === 'initialize' && 'id' in body;

const isStandingStream = (request: IncomingMessage, body: unknown): boolean =>
  request.method === 'GET' ||
  (body !== null && typeof body === 'object' && 'method' in body && body.method === 'subscriptions/listen');

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2_147_483_647;

const createExpirySignal = (at: Date, now: Date): AbortSignal =>
  AbortSignal.timeout(Math.min(Math.max(at.getTime() - now.getTime(), 0), MAX_TIMER_MS));

function parseHostname(host: string | undefined): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9.:[\]_-]+$/.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}
