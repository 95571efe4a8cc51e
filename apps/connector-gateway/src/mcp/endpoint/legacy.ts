import type { ServerResponse } from 'node:http';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import { Header } from '@gatehouse/mcp/headers';
import type { JsonObject, ReadMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isLogLevel } from '@gatehouse/mcp/log-levels';
import { isLegacyRevision } from '@gatehouse/mcp/revisions';
import { readEventId } from '@gatehouse/mcp/server/channel';
import type { AuthenticatedUser } from '../access/access.ts';
import { findEntitlements } from '../access/directory-view.ts';
import { createInvalidParamsError, requireText } from '../calls/client-call.ts';
import { getLegacyCapabilities, SERVER_INFO } from '../calls/methods.ts';
import type { Plane } from '../calls/plane.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { JsonBody } from '../http/read-json.ts';
import { createTooManyRequestsRefusal, HttpRefusalError } from '../http/http-refusal.ts';
import type { Limits } from '../ports/limits.ts';
import { TooManyMessagesError } from '../ports/replicas.ts';
import { type SessionOwner, TooManySessionsError } from '../ports/session-store.ts';
import { MAX_SUBSCRIPTIONS, MAX_URI_LENGTH, type ResourceSubscriptions } from '../sessions/resource-subscriptions.ts';
import type { LiveViews } from '../sessions/live-views.ts';
import { type Session, STANDALONE_MOVED } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { accept, type HttpExchange, readHeader, type RequestHeaders } from './http-exchange.ts';
import { checkInitialize } from './initialize.ts';
import { resumeElsewhere } from './resumption.ts';
import type { ServedCall } from './served-call.ts';
import type { ServedCalls } from './served-calls.ts';

/** Serves the revisions with sessions. */
export class LegacyEndpoint {
  constructor(
    private readonly plane: Plane,
    private readonly sessions: Sessions,
    private readonly live: LiveViews,
    private readonly subscriptions: ResourceSubscriptions,
    private readonly calls: ServedCalls,
  ) {}

  /** Serves a posted message. @throws HttpRefusalError */
  async post(
    exchange: HttpExchange,
    user: AuthenticatedUser,
    scope: EndpointScope,
    { read, body }: { read: Exclude<ReadMessage, { kind: 'invalid' }>; body: JsonBody },
  ): Promise<void> {
    const isFirst = readHeader(exchange.request, Header.sessionId) === undefined;
    if (isFirst && read.kind === 'request' && read.message.method === 'initialize') {
      checkInitialize(body);
      return this.initialize(exchange, user, scope, read.message);
    }
    const found = this.require(exchange, user, scope);
    const session = found instanceof Promise ? await found : found;
    if (read.kind === 'request') {
      await this.serve(exchange, user, scope, session, read.message);
      return;
    }
    if (!session.receive(read.message)) await this.passOn(session, selectPassedPart(read.message));
    accept(exchange);
  }

  /** Opens the standalone stream of a session, or resumes a stream. @throws HttpRefusalError */
  async openStream(exchange: HttpExchange, user: AuthenticatedUser, scope: EndpointScope): Promise<void> {
    const { request, response } = exchange;
    const { accept: accepted = '' } = request.headers;
    if (!accepted.includes(EVENT_STREAM) && !accepted.includes('*/*'))
      throw new HttpRefusalError(
        406,
        -32000,
        'the Accept header of a GET must contain text/event-stream, since it opens an event stream',
      );
    const session = await this.require(exchange, user, scope);
    const event = readLastEvent(request);
    const own = event === undefined ? session.standalone : session.findChannel(event.channel);
    const missed =
      own === undefined && event !== undefined ? await resumeElsewhere(this.plane, exchange, session, event) : [];
    if (missed === undefined || response.closed) return;
    if (own !== undefined && own !== session.standalone) {
      own.attach(response, {}, event?.number);
      return;
    }
    await this.ownStandalone(session, event === undefined);
    // A closed response emits no further event that would end the listeners.
    if (response.destroyed) return;
    session.standalone.attach(response, {}, own && event?.number);
    for (const frame of missed) response.write(frame);
    this.watchChanges(response, session, user, scope);
  }

  /** Sends the changes of lists and resources while the stream of a GET is open. */
  private watchChanges(
    response: ServerResponse,
    session: Session,
    user: AuthenticatedUser,
    scope: EndpointScope,
  ): void {
    const endSubscriptions = this.openSubscriptions(session, user, scope);
    const end = this.live.watch(user, scope, (kind) => {
      session.standalone.send({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` });
      if (kind === 'resources') session.applySubscriptions();
    });
    response.once('close', () => {
      end();
      endSubscriptions();
    });
  }

  /** Records that this replica serves the stream of a GET, and ends an earlier one elsewhere. */
  private async ownStandalone(session: Session, isNew: boolean): Promise<void> {
    await session.standaloneStream.open();
    if (isNew) await this.passOn(session, { ...STANDALONE_MOVED });
  }

  /**
   * Passes a message of the client on to the other replicas.
   * @throws HttpRefusalError 429 above the limits of the user
   */
  private passOn({ id: sessionId, owner }: Session, message: JsonObject): Promise<void> {
    return this.plane.replicas.send({ sessionId, owner, message }).catch((error: unknown) => {
      throw error instanceof TooManyMessagesError
        ? createTooManyRequestsRefusal(error.message, error.retryAfterSeconds)
        : error;
    });
  }

  /** Delivers updates of resources on the standalone stream. @returns a function that ends it */
  private openSubscriptions(session: Session, user: AuthenticatedUser, scope: EndpointScope): () => void {
    const open = this.subscriptions.open(user, scope, (uri) =>
      session.standalone.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
    );
    const set = () => open.set(session.subscriptions);
    session.onSubscriptions = set;
    session.applySubscriptions();
    return () => {
      if (session.onSubscriptions === set) session.onSubscriptions = undefined;
      open.end();
    };
  }

  /** Ends a session. @throws HttpRefusalError */
  async delete(exchange: HttpExchange, user: AuthenticatedUser, scope: EndpointScope): Promise<void> {
    const session = await this.require(exchange, user, scope);
    await this.sessions.end(session.id);
    exchange.response.writeHead(200, { 'content-length': 0 }).end();
  }

  private async initialize(
    exchange: HttpExchange,
    user: AuthenticatedUser,
    scope: EndpointScope,
    request: RpcRequest,
  ): Promise<void> {
    const owner = toOwner(user, scope);
    const userId = (await findEntitlements(this.plane.directory, user))?.user_id ?? null;
    const session = await this.sessions.begin(owner, userId, { ...request }).catch((error: unknown) => {
      throw error instanceof TooManySessionsError ? createTooManySessionsRefusal(error, this.plane.limits) : error;
    });
    const capabilities = getLegacyCapabilities(scope, session.revision);
    const result = { protocolVersion: session.revision, capabilities, serverInfo: SERVER_INFO };
    const body = JSON.stringify({ jsonrpc: '2.0', id: request.id, result });
    exchange.response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        [Header.sessionId]: session.id,
      })
      .end(body);
  }

  /** The session that the request names. It counts as in use until the response is closed. */
  private require(exchange: HttpExchange, user: AuthenticatedUser, scope: EndpointScope): Session | Promise<Session> {
    const { request, response } = exchange;
    const id = readHeader(request, Header.sessionId);
    if (id === undefined)
      throw new HttpRefusalError(400, -32000, 'the Mcp-Session-Id header is needed: begin with initialize');
    const version = readHeader(request, Header.protocolVersion);
    if (version !== undefined && !isLegacyRevision(version))
      throw new HttpRefusalError(400, -32000, 'the MCP-Protocol-Version header names no revision with sessions');
    const enter = (session: Session | undefined) => enterSession(session, response);
    const found = this.sessions.find(id, toOwner(user, scope));
    return found instanceof Promise ? found.then(enter) : enter(found);
  }

  private serve(
    exchange: HttpExchange,
    user: AuthenticatedUser,
    scope: EndpointScope,
    session: Session,
    request: RpcRequest,
  ): Promise<void> {
    if (session.isRunning(request.id))
      throw new HttpRefusalError(
        400,
        ErrorCode.invalidRequest,
        'a request with this id is still running in this session: use another id',
      );
    const call = this.calls.open({ exchange, user, scope, request, session });
    session.start(request.id, call);
    return this.calls.serve(call, (method) => this.serveSessionMethod(session, method, call));
  }

  /** Serves the methods of a session itself; undefined for every other method. */
  private serveSessionMethod(
    session: Session,
    method: string,
    call: ServedCall,
  ): JsonObject | Promise<JsonObject> | undefined {
    if (method === 'ping') return {};
    if (method === 'logging/setLevel') return this.setLogLevel(session, call.params);
    if (method === 'resources/subscribe') return this.subscribe(session, call);
    if (method === 'resources/unsubscribe') return this.unsubscribe(session, call);
    return undefined;
  }

  private async setLogLevel(session: Session, { level }: JsonObject): Promise<JsonObject> {
    if (!isLogLevel(level)) throw createInvalidParamsError('params.level must be a severity of RFC 5424, such as info');
    await this.sessions.setLogLevel(session, level);
    return {};
  }

  private async subscribe(session: Session, { user, scope, params }: ServedCall): Promise<JsonObject> {
    const uri = requireUri(params);
    await this.subscriptions.requireSubscribable(user, scope, uri);
    if (!(await this.sessions.subscribe(session, uri)))
      throw createInvalidParamsError(
        `the session has ${MAX_SUBSCRIPTIONS} subscriptions, the most: end one with resources/unsubscribe`,
      );
    await session.applied;
    return {};
  }

  /** Ends a subscription, also to a resource that the user does not see any more. */
  private async unsubscribe(session: Session, { params }: ServedCall): Promise<JsonObject> {
    const uri = requireUri(params);
    await this.sessions.unsubscribe(session, uri);
    return {};
  }
}

/** @throws HttpRefusalError 404 without a session */
function enterSession(session: Session | undefined, response: ServerResponse): Session {
  if (session === undefined) throw new HttpRefusalError(404, -32001, 'session not found');
  session.enter();
  response.once('close', () => session.leave());
  return session;
}

/** The part of a message that other replicas read: of a cancellation, the id of the request. */
const selectPassedPart = (message: RpcResponse | RpcNotification): JsonObject =>
  'method' in message
    ? { jsonrpc: '2.0', method: message.method, params: { requestId: message.params?.['requestId'] } }
    : { ...message };

/** The URI of a subscription. @throws RpcError */
function requireUri(params: JsonObject): string {
  const uri = requireText(params, 'uri');
  if (uri.length > MAX_URI_LENGTH)
    throw createInvalidParamsError(`params.uri must have at most ${MAX_URI_LENGTH} characters`);
  return uri;
}

/**
 * The last event that the client received; undefined for a new stream. An empty id is the same as
 * none (WHATWG HTML, section 9.2.3).
 * @throws HttpRefusalError 400 for an id that no stream can have
 */
function readLastEvent(request: RequestHeaders): ReturnType<typeof readEventId> {
  const id = readHeader(request, Header.lastEventId) ?? '';
  const event = readEventId(id);
  if (id !== '' && event === undefined)
    throw new HttpRefusalError(
      400,
      -32000,
      'the Last-Event-ID header is no id of an event of this gateway: leave it out to open a new stream',
    );
  return event;
}

const toOwner = ({ issuer, subject }: AuthenticatedUser, { slug, mode }: EndpointScope): SessionOwner => ({
  issuer,
  subject,
  slug: slug ?? null,
  mode: mode ?? null,
});

const createTooManySessionsRefusal = ({ most }: TooManySessionsError, { sessionInUseMs }: Limits): HttpRefusalError =>
  createTooManyRequestsRefusal(
    `you have ${most} sessions, the most that a user may have, and all are in use: end one with DELETE, or try again later`,
    sessionInUseMs / 1_000,
  );
