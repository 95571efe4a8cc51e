import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcMessage, RpcNotification, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject, isRequestId } from '@gatehouse/mcp/json-rpc';
import type { RequestId } from '@gatehouse/mcp/errors';
import { hasPrimingEvents, isLegacyRevision, LATEST_LEGACY_REVISION } from '@gatehouse/mcp/revisions';
import { Channel } from '@gatehouse/mcp/server/channel';
import { randomBytes, randomUUID } from 'node:crypto';
import { selectRequestCapabilities } from '../calls/request-capabilities.ts';
import type { OwnedStream, StreamOwners, TakenCall } from '../ports/stream-owners.ts';
import type { SessionOwner, SessionState, StoredSession } from '../ports/session-store.ts';

/** Time for which a finished stream can be resumed, and the number of such streams of a session. */
const RESUME_MS = 30_000;
const MAX_FINISHED_STREAMS = 4;

/** Begins the ids of the events of a stream that belongs to no request. */
const STANDALONE = 'g';

/** Whether a channel belongs to no request. */
export const isStandaloneChannel = (channel: string): boolean => channel.startsWith(STANDALONE);

/** The notification of a replica that now serves the stream of the client's GET. */
export const STANDALONE_MOVED: RpcNotification = { jsonrpc: '2.0', method: 'gatehouse/standalone_moved' };

/** A running request of a session. */
export interface RunningRequest {
  cancel(reason: string): void;
}

interface Question {
  resolve(result: JsonObject): void;
  reject(error: RpcError): void;
}

/** The revision of a session. @param requested by the client in `initialize` */
export const negotiateRevision = (requested: unknown): string =>
  typeof requested === 'string' && isLegacyRevision(requested) ? requested : LATEST_LEGACY_REVISION;

/** A stream to the client, and its record for other replicas. */
interface OpenedChannel {
  channel: Channel;
  stream: OwnedStream;
}

/**
 * A legacy session as this process remembers it. A process remembers thousands, so a session holds
 * only the parts that are in use.
 */
export class Session {
  readonly id: string;
  readonly owner: SessionOwner;
  /** The capabilities of the client that concern upstreams. */
  readonly capabilities: JsonObject;
  /** The negotiated revision. */
  readonly revision: string;
  /** The number of the last change that this process stored; it grows over all sessions. */
  change = 0;
  /** Called when the subscriptions may have changed, while a standalone stream is open. */
  onSubscriptions: (() => Promise<void>) | undefined;
  /** Resolves when the upstreams know the current subscriptions, or could not be reached. */
  applied: Promise<void> | undefined;
  private currentLogLevel: string | null;
  private currentSubscriptions: readonly string[];
  usedAt: number;
  private openCount = 0;
  private hasEnded = false;
  private standaloneParts: OpenedChannel | undefined;
  // Most sessions are idle, so they keep no empty maps.
  private running: Map<RequestId, RunningRequest> | undefined;
  private channels: Map<string, Channel> | undefined;
  private questions: Map<RequestId, Question> | undefined;
  /** Distinguishes the event ids of this process from those of others. */
  private readonly tag = randomBytes(4).toString('hex');
  private channelCount = 0;

  constructor(
    stored: StoredSession,
    now: number,
    private readonly streams: StreamOwners,
  ) {
    const { id, issuer, subject, slug, mode, initialize } = stored;
    this.id = id;
    this.currentLogLevel = stored.logLevel;
    this.currentSubscriptions = stored.subscriptions;
    this.owner = { issuer, subject, slug, mode };
    const params = isJsonObject(initialize['params']) ? initialize['params'] : {};
    const declared = params['capabilities'];
    this.capabilities = selectRequestCapabilities(isJsonObject(declared) ? declared : {});
    this.revision = negotiateRevision(params['protocolVersion']);
    this.usedAt = now;
  }

  /** Number of open requests and streams. */
  get open(): number {
    return this.openCount;
  }

  /** Counts a request or a stream as open. */
  enter(): void {
    this.openCount += 1;
  }

  /** Counts a request or a stream as closed. */
  leave(): void {
    this.openCount -= 1;
    if (this.openCount > 0) return;
    if (this.running?.size === 0) this.running = undefined;
    if (this.channels?.size === 0) this.channels = undefined;
    if (this.questions?.size === 0) this.questions = undefined;
  }

  /** Whether a request with this id is running. */
  isRunning(id: RequestId): boolean {
    return this.running?.has(id) === true;
  }

  /** Adds a running request. */
  start(id: RequestId, request: RunningRequest): void {
    (this.running ??= new Map()).set(id, request);
  }

  /** Removes a request that has its response. */
  finish(id: RequestId): void {
    this.running?.delete(id);
  }

  /** The stream of a GET, for messages that belong to no request. */
  get standalone(): Channel {
    return this.getStandalone().channel;
  }

  /** The record of this stream, for other replicas. */
  get standaloneStream(): OwnedStream {
    return this.getStandalone().stream;
  }

  /** Keeps the open stream of a GET open. */
  keepAlive(): void {
    this.standaloneParts?.channel.keepAlive();
  }

  /** Minimum severity of log messages; undefined: every message. */
  get logLevel(): string | undefined {
    return this.currentLogLevel ?? undefined;
  }

  /** The client's URIs of the resources that it subscribed to. */
  get subscriptions(): readonly string[] {
    return this.currentSubscriptions;
  }

  /** Takes a change by the client over, which this or another replica stored. */
  update(state: Partial<SessionState>): void {
    const { logLevel = this.currentLogLevel, subscriptions = this.currentSubscriptions } = state;
    const isChanged = subscriptions.join('\n') !== this.currentSubscriptions.join('\n');
    this.currentLogLevel = logLevel;
    if (!isChanged) return;
    this.currentSubscriptions = subscriptions;
    this.applySubscriptions();
  }

  /** Applies the subscriptions to the open standalone stream of this process. */
  applySubscriptions(): void {
    this.applied = this.onSubscriptions?.();
  }

  /** Whether the session belongs to this user, endpoint and mode. */
  isOwnedBy({ issuer, subject, slug, mode }: SessionOwner): boolean {
    const { owner } = this;
    return owner.issuer === issuer && owner.subject === subject && owner.slug === slug && owner.mode === mode;
  }

  /** Opens a resumable stream for the response to one request. @param callId of its record */
  openChannel(requestId: RequestId, callId: string | undefined): OpenedChannel {
    const id = `p${this.tag}${(this.channelCount += 1)}`;
    const resumable = { sessionId: this.id, channel: id, requestId };
    const stream = this.streams.create({ user: this.owner, resumable, callId });
    const channel = new Channel(id, hasPrimingEvents(this.revision), stream);
    (this.channels ??= new Map()).set(id, channel);
    return { channel, stream };
  }

  /** Continues the stream of a request that this replica took over. */
  adoptChannel({ channel: id, stream, events }: Pick<TakenCall, 'channel' | 'stream' | 'events'>): Channel {
    const channel = new Channel(id, hasPrimingEvents(this.revision), stream);
    channel.restore(events);
    (this.channels ??= new Map()).set(id, channel);
    return channel;
  }

  /** Keeps the stream of a finished request for a while, for a client that resumes it. */
  keepFinished(channel: Channel): void {
    setTimeout(() => this.channels?.delete(channel.id), RESUME_MS).unref();
    const finished = [...(this.channels?.values() ?? [])].filter(({ isEnded }) => isEnded);
    for (const { id } of finished.slice(0, -MAX_FINISHED_STREAMS)) this.channels?.delete(id);
  }

  /** The stream of an event id; undefined if the session does not have it any more. */
  findChannel(id: string): Channel | undefined {
    return id === this.standaloneId ? this.standalone : this.channels?.get(id);
  }

  /**
   * Sends a request to the client and waits for its response.
   * @param send delivers the request; it returns false if the client cannot receive it
   * @throws RpcError with the client's own error, or if the request was cancelled
   */
  ask(
    method: string,
    params: JsonObject | undefined,
    send: (message: RpcMessage) => boolean,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const id = randomUUID();
    const answer = this.awaitAnswer(id, signal);
    if (!signal.aborted && !send({ jsonrpc: '2.0', id, method, ...(params && { params }) }))
      this.questions
        ?.get(id)
        ?.reject(new RpcError(ErrorCode.internalError, 'the client of this call accepts no event stream'));
    return answer;
  }

  /**
   * Waits for the client's response to a request that it has received.
   * @throws RpcError with the client's own error, or if the request was cancelled
   */
  awaitAnswer(id: RequestId, signal: AbortSignal): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const cancel = () => reject(new RpcError(ErrorCode.internalError, 'the request of the client has ended'));
    (this.questions ??= new Map()).set(id, { resolve, reject });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    return promise.finally(() => {
      this.questions?.delete(id);
      signal.removeEventListener('abort', cancel);
    });
  }

  /**
   * Receives a message that expects no response.
   * @returns false if it may concern a request at another replica
   */
  receive(message: RpcResponse | RpcNotification): boolean {
    if (!('method' in message)) return this.answer(message);
    if (message.method === STANDALONE_MOVED.method) this.standaloneParts?.channel.detach();
    if (message.method !== 'notifications/cancelled') return true;
    const id = message.params?.['requestId'];
    if (!isRequestId(id)) return true;
    const running = this.running?.get(id);
    running?.cancel('the request was cancelled');
    return running !== undefined;
  }

  /** Receives the client's response to a request of the gateway. @returns whether this one asked */
  private answer(message: RpcResponse): boolean {
    const question = message.id === undefined ? undefined : this.questions?.get(message.id);
    if (question === undefined) return false;
    if ('error' in message) {
      const { code, message: text, data } = message.error;
      question.reject(new RpcError(code, text, data));
    } else question.resolve(message.result);
    return true;
  }

  /**
   * Ends all streams and running requests of the session in this process. The stream of a request
   * ends with its error.
   */
  end(reason: string): void {
    this.hasEnded = true;
    for (const running of [...(this.running?.values() ?? [])]) running.cancel(reason);
    this.standaloneParts?.channel.end();
    this.standaloneParts?.stream.end();
  }

  private get standaloneId(): string {
    return `${STANDALONE}${this.tag}`;
  }

  private getStandalone(): OpenedChannel {
    if (this.standaloneParts !== undefined) return this.standaloneParts;
    const { id: sessionId, owner: user, standaloneId: channelId } = this;
    const stream = this.streams.create({ user, resumable: { sessionId, channel: channelId } });
    const channel = new Channel(channelId, false, stream);
    if (this.hasEnded) {
      channel.end();
      stream.end();
    }
    return (this.standaloneParts = { channel, stream });
  }
}
