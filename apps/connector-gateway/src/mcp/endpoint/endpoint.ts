import { AuthError } from '@gatehouse/auth/auth-error';
import { RESOURCE_METADATA_PATH, resourceMetadataUrl } from '@gatehouse/auth/resource-metadata-url';
import { isGatewayAlone } from '@gatehouse/auth/roles';
import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { type AuthInfo, isLegacyRequest } from '@modelcontextprotocol/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Person } from '../access/access.ts';
import { BytesInFlight } from '../http/bytes-in-flight.ts';
import { type JsonBody, readJson, sendRefusal, sendResponse, toWebRequest } from '../http/http-io.ts';
import { HttpRefusal, tooMany } from '../http/http-refusal.ts';
import type { Limits } from '../ports/limits.ts';
import type { LiveViews } from '../sessions/live-views.ts';
import type { ModernHandlers } from './modern-handlers.ts';
import { type Noted, type Plane } from '../calls/plane.ts';
import { DirectoryUnavailableError, personKey } from '../access/directory-view.ts';
import { type LiveSession, type Sessions } from '../sessions/sessions.ts';
import { type SessionOwner, TooManySessionsError } from '../ports/session-store.ts';
import { StreamCount } from '../http/stream-count.ts';
import { checkInitialize } from './initialize.ts';
import { recordMalformed, recordUnheard } from './malformed.ts';
import type { Scope } from '../catalogue/offers.ts';
import { onceGone } from '../http/gone.ts';

/** How the endpoint is reached, and by whom. */
export interface EndpointOptions {
  /** Address under which clients reach the gateway, without a trailing slash. */
  publicUrl: () => string;
  /** Issuers whose tokens are accepted, for the resource metadata. */
  issuers: readonly string[];
  verifier: TokenVerifier;
  /** Host names that a request may be addressed to. */
  allowedHosts: () => ReadonlySet<string>;
  /** Fires when the service shuts down: streams that stand open end then. */
  shutdown: AbortSignal;
  /** Origins of web pages that may call; a request without an origin is no web page's. */
  allowedOrigins: ReadonlySet<string>;
}

interface Visitor {
  person: Person;
  authInfo: AuthInfo;
  expiresAt: Date;
}

/** How often the person of an open answer is looked at. */
const INACTIVE_CHECK_MS = 400;

const ENDPOINT = /^\/mcp(?:\/([a-z0-9-]{1,64}))?$/;

/**
 * The MCP endpoint over streamable HTTP: `/mcp` for everything a person may use, `/mcp/{slug}` for
 * one connector. Both protocol eras are served at the same address; which one a request belongs to
 * is read from the request itself. Every request carries a bearer token (RFC 6750); where to get
 * one is told by protected resource metadata (RFC 9728).
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
    this.streams = new StreamCount(plane.limits.streamsPerPerson);
    this.bytes = new BytesInFlight(plane.limits.bytesPerPerson);
  }

  /** Serves one request of any path; what is not here is 404. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      const isRefusal = error instanceof HttpRefusal;
      // A client that goes away while it sends its request is nobody's fault, and nobody is left to
      // be told.
      if (request.destroyed && !request.complete) return void response.destroy();
      if (!isRefusal) this.plane.log.error({ err: error }, 'a request failed');
      sendRefusal(response, isRefusal ? error : new HttpRefusal(500, -32603, 'internal error'));
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
    if (match === null) throw new HttpRefusal(404, -32601, 'there is nothing at this path');
    const visitor = await this.admit(request, path, () => response.writableNeedDrain);
    await this.refuseInactive(visitor.person);
    // The client left meanwhile: it would never give back what its request takes from here on.
    if (response.closed) return;
    this.watchActivity(visitor.person, response);
    await this.serve(request, response, visitor, match[1], path);
  }

  /** Refuses requests that a foreign web page or a rebound DNS name brings here. */
  private checkAddress(request: IncomingMessage): void {
    const { allowedHosts, allowedOrigins } = this.options;
    const host = hostnameOf(request.headers.host);
    const hosts = allowedHosts();
    if (host === undefined || !(hosts.has('*') || hosts.has(host)))
      throw new HttpRefusal(403, -32600, 'the Host header names a foreign host');
    const origins = request.headersDistinct['origin'] ?? [];
    if (
      origins.length > 1 ||
      !origins.every((origin) => allowedOrigins.has(origin) || origin === new URL(this.options.publicUrl()).origin)
    ) {
      throw new HttpRefusal(403, -32600, 'requests of this origin are not taken');
    }
  }

  /**
   * @param suffix what stands behind the well-known part: the path of the public address, then the
   * path of the resource (RFC 9728 §3.1)
   */
  private sendMetadata(request: IncomingMessage, response: ServerResponse, suffix: string): void {
    const prefix = new URL(this.options.publicUrl()).pathname.replace(/\/$/, '');
    const path = suffix.startsWith(`${prefix}/`) || suffix === prefix ? suffix.slice(prefix.length) : suffix;
    if (request.method !== 'GET') throw new HttpRefusal(405, -32601, 'only GET is served here', { allow: 'GET' });
    if (path !== '' && !ENDPOINT.test(path)) throw new HttpRefusal(404, -32601, 'there is nothing at this path');
    const body = JSON.stringify({
      resource: this.resourceOf(path === '' ? '/mcp' : path),
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

  /**
   * The protected resource at a path: what its metadata names, and an audience that its tokens may
   * have.
   */
  private resourceOf(path: string): string {
    return `${this.options.publicUrl()}${path}`;
  }

  private async admit(request: IncomingMessage, path: string, isBehind: () => boolean): Promise<Visitor> {
    const metadata = `resource_metadata="${resourceMetadataUrl(this.resourceOf(path))}"`;
    const values = request.headersDistinct['authorization'] ?? [];
    const token = values.length === 1 ? /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(values[0] ?? '')?.[1] : undefined;
    if (token === undefined)
      throw new HttpRefusal(401, -32001, 'a bearer token is needed', { 'www-authenticate': `Bearer ${metadata}` });
    let verified;
    try {
      verified = await this.options.verifier.verify(token, this.resourceOf(path));
    } catch (error) {
      if (error instanceof AuthError && error.code === 'unavailable') {
        throw new HttpRefusal(503, -32603, 'the token issuer cannot be reached to check the token', {
          'retry-after': '2',
        });
      }
      throw new HttpRefusal(401, -32001, 'the token is not valid here', {
        'www-authenticate': `Bearer ${metadata}, error="invalid_token"`,
      });
    }
    if (isGatewayAlone(verified.roles)) throw new HttpRefusal(403, -32001, 'a gateway is no person');
    const { issuer, subject, email, claims, expiresAt } = verified;
    const person: Person = { issuer, subject, email, claims };
    return {
      person,
      expiresAt,
      authInfo: { token: '', clientId: personKey(person), scopes: [], extra: { person, isBehind } },
    };
  }

  /**
   * A person whom the directory has deactivated has no sessions any more. While the directory
   * cannot be asked, each message finds out itself.
   */
  private async refuseInactive(person: Person): Promise<void> {
    if (await this.isInactive(person)) throw new HttpRefusal(403, -32001, 'no active directory entry');
  }

  /**
   * Breaks off an answer that is under way, streams too, when its person is deactivated meanwhile.
   */
  private watchActivity(person: Person, response: ServerResponse): void {
    const check = () =>
      this.isInactive(person).then(
        (inactive) => {
          if (inactive) response.destroy();
        },
        (error: unknown) => this.plane.log.warn({ err: error }, 'the activity of a person could not be checked'),
      );
    const watch = setInterval(() => void check(), INACTIVE_CHECK_MS);
    response.once('close', () => clearInterval(watch));
  }

  private async isInactive(person: Person): Promise<boolean> {
    try {
      return await this.plane.directory.isInactive(person);
    } catch (error) {
      if (error instanceof DirectoryUnavailableError) return false;
      throw error;
    }
  }

  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
    visitor: Visitor,
    slug: string | undefined,
    path: string,
  ): Promise<void> {
    const { limits } = this.plane;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const held = this.bytes.of(personKey(visitor.person));
    response.on('close', () => held.release());
    const read = request.method === 'POST' ? await readJson(request, limits, held) : undefined;
    const body = read?.value;
    if (Array.isArray(body)) throw new HttpRefusal(400, -32600, 'batches are not taken: post one message at a time');
    const scope = { slug };
    const { person, authInfo } = visitor;
    const noted: Noted = { call: await recordMalformed(this.plane, scope, person, body) };
    const web = toWebRequest(request, new URL(path, this.options.publicUrl()), gone.signal);
    const asked: Visitor = { ...visitor, authInfo: { ...authInfo, extra: { ...authInfo.extra, noted } } };
    const refused = async () => {
      if (!noted.call) await recordUnheard(this.plane, scope, person, body);
    };
    const isStream = isStandingStream(request, body);
    if (isStream) this.streams.add(personKey(person), gone.signal);
    let answer: Response;
    try {
      answer = await this.answer(web, asked, scope, read, gone.signal);
    } catch (error) {
      if (error instanceof HttpRefusal) await refused();
      throw error;
    }
    if (answer.status >= 400) await refused();
    // A stream may outlive the request that opened it, but never the token that opened it.
    const ends = isStream
      ? AbortSignal.any([gone.signal, this.options.shutdown, expiry(visitor.expiresAt, this.plane.now())])
      : gone.signal;
    await sendResponse(response, answer, ends, held);
  }

  /** The request itself says which era it belongs to. */
  private async answer(
    web: Request,
    visitor: Visitor,
    scope: Scope,
    read: JsonBody | undefined,
    gone: AbortSignal,
  ): Promise<Response> {
    const body = read?.value;
    if (web.method !== 'POST' || (await isLegacyRequest(web, body ?? null)))
      return this.serveLegacy(web, visitor, scope.slug, read, gone);
    return this.modern.of(visitor.person, scope).fetch(web, { authInfo: visitor.authInfo, parsedBody: body }, gone);
  }

  private async serveLegacy(
    web: Request,
    visitor: Visitor,
    slug: string | undefined,
    read: JsonBody | undefined,
    gone: AbortSignal,
  ): Promise<Response> {
    const body = read?.value;
    const { issuer, subject } = visitor.person;
    const owner: SessionOwner = { issuer, subject, slug: slug ?? null };
    const id = web.headers.get('mcp-session-id');
    if (id === null) {
      if (read === undefined || !isInitialize(body))
        throw new HttpRefusal(400, -32000, 'the Mcp-Session-Id header is needed: begin with initialize');
      checkInitialize(read);
      return this.begin(owner, web, visitor, body, gone);
    }
    const session = await this.sessions.find(id, owner);
    if (session === undefined) throw new HttpRefusal(404, -32001, 'session not found');
    if (web.method === 'DELETE') {
      await this.sessions.end(id);
      return new Response(null, { status: 200 });
    }
    if (web.method === 'GET') this.tellChanges(session, visitor.person, slug, gone);
    return this.through(session, web, visitor, body, gone);
  }

  private async begin(
    owner: SessionOwner,
    web: Request,
    visitor: Visitor,
    body: Record<string, unknown>,
    gone: AbortSignal,
  ): Promise<Response> {
    const { id, session } = await this.sessions.begin(owner, body).catch((error: unknown) => {
      throw error instanceof TooManySessionsError ? tooManySessions(this.plane.limits) : error;
    });
    const answer = await this.through(session, web, visitor, body, gone);
    if (answer.status >= 400) await this.sessions.end(id);
    return answer;
  }

  /** The session is in use until the answer is sent. */
  private through(
    session: LiveSession,
    web: Request,
    { authInfo }: Visitor,
    body: unknown,
    gone: AbortSignal,
  ): Promise<Response> {
    session.open += 1;
    onceGone(gone, () => {
      session.open -= 1;
    });
    return session.transport.handleRequest(web, { authInfo, ...(body !== undefined && { parsedBody: body }) });
  }

  private tellChanges(session: LiveSession, person: Person, slug: string | undefined, gone: AbortSignal): void {
    const end = this.live.watch(person, { slug }, (kind) => {
      void session.server.notification({ method: `notifications/${kind}/list_changed` }).catch(() => undefined);
    });
    onceGone(gone, end);
  }
}

const tooManySessions = ({ sessionsPerPerson, sessionInUseMs }: Limits): HttpRefusal =>
  tooMany(
    `you have ${sessionsPerPerson} sessions, the most that a person may have, and all are in use: end one with DELETE, or try again later`,
    sessionInUseMs / 1_000,
  );

const isInitialize = (body: unknown): body is Record<string, unknown> =>
  body !== null && typeof body === 'object' && 'method' in body && body.method === 'initialize' && 'id' in body;

const isStandingStream = (request: IncomingMessage, body: unknown): boolean =>
  request.method === 'GET' ||
  (body !== null && typeof body === 'object' && 'method' in body && body.method === 'subscriptions/listen');

/** Timers cannot wait longer than this. */
const MAX_TIMER_MS = 2_147_483_647;

const expiry = (at: Date, now: Date): AbortSignal =>
  AbortSignal.timeout(Math.min(Math.max(at.getTime() - now.getTime(), 0), MAX_TIMER_MS));

function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9.:[\]_-]+$/.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}
