import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcMessage, RpcNotification, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject, isRequestId } from '@gatehouse/mcp/json-rpc';
import type { RequestId } from '@gatehouse/mcp/errors';
import { hasPrimingEvents, isLegacyRevision, LATEST_LEGACY_REVISION } from '@gatehouse/mcp/revisions';
import { Channel } from '@gatehouse/mcp/server/channel';
import { randomBytes, randomUUID } from 'node:crypto';
import type { OwnedStream, StreamOwners } from '../ports/stream-owners.ts';
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

/** A legacy session as this process remembers it. */
export class Session {
  readonly id: string;
  readonly owner: SessionOwner;
  /** Capabilities that the client declared in `initialize`. */
  readonly capabilities: JsonObject;
  /** The negotiated revision. */
  readonly revision: string;
  /** Number of changes by the client that this process stored. */
  changes = 0;
  /** Called when the subscriptions may have changed, while a standalone stream is open. */
  onSubscriptions: (() => Promise<void>) | undefined;
  /** Resolves when the upstreams know the current subscriptions, or could not be reached. */
  applied: Promise<void> | undefined;
  private state: SessionState;
  usedAt: number;
  /** Number of open requests and streams. */
  open = 0;
  /** The stream of a GET, for messages that belong to no request. */
  readonly standalone: Channel;
  /** The record of this stream, for other replicas. */
  readonly standaloneStream: OwnedStream;
  readonly running = new Map<RequestId, RunningRequest>();
  private readonly channels = new Map<string, Channel>();
  private readonly questions = new Map<RequestId, Question>();
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
    this.state = stored;
    this.owner = { issuer, subject, slug, mode };
    const params = isJsonObject(initialize['params']) ? initialize['params'] : {};
    this.capabilities = isJsonObject(params['capabilities']) ? params['capabilities'] : {};
    this.revision = negotiateRevision(params['protocolVersion']);
    this.usedAt = now;
    const channel = `${STANDALONE}${this.tag}`;
    this.standaloneStream = streams.create({ user: this.owner, resumable: { sessionId: id, channel } });
    this.standalone = new Channel(channel, false, this.standaloneStream);
  }

  /** Minimum severity of log messages; undefined: every message. */
  get logLevel(): string | undefined {
    return this.state.logLevel ?? undefined;
  }

  /** The client's URIs of the resources that it subscribed to. */
  get subscriptions(): readonly string[] {
    return this.state.subscriptions;
  }

  /** Takes a change by the client over, which this or another replica stored. */
  update(state: Partial<SessionState>): void {
    const before = this.state.subscriptions;
    this.state = { ...this.state, ...state };
    if (this.state.subscriptions.join('\n') !== before.join('\n')) this.applySubscriptions();
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
  openChannel(requestId: RequestId, callId: string | undefined): { channel: Channel; stream: OwnedStream } {
    const id = `p${this.tag}${(this.channelCount += 1)}`;
    const resumable = { sessionId: this.id, channel: id, requestId };
    const stream = this.streams.create({ user: this.owner, resumable, callId });
    const channel = new Channel(id, hasPrimingEvents(this.revision), stream);
    this.channels.set(id, channel);
    return { channel, stream };
  }

  /** Keeps the stream of a finished request for a while, for a client that resumes it. */
  keepFinished(channel: Channel): void {
    setTimeout(() => this.channels.delete(channel.id), RESUME_MS).unref();
    const finished = [...this.channels.values()].filter(({ isEnded }) => isEnded);
    for (const { id } of finished.slice(0, -MAX_FINISHED_STREAMS)) this.channels.delete(id);
  }

  /** The stream of an event id; undefined if the session does not have it any more. */
  findChannel(id: string): Channel | undefined {
    return id === this.standalone.id ? this.standalone : this.channels.get(id);
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
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const cancel = () => reject(new RpcError(ErrorCode.internalError, 'the request of the client has ended'));
    this.questions.set(id, { resolve, reject });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    else if (!send({ jsonrpc: '2.0', id, method, ...(params && { params }) }))
      reject(new RpcError(ErrorCode.internalError, 'the client of this call accepts no event stream'));
    return promise.finally(() => {
      this.questions.delete(id);
      signal.removeEventListener('abort', cancel);
    });
  }

  /**
   * Receives a message that expects no response.
   * @returns false if it may concern a request at another replica
   */
  receive(message: RpcResponse | RpcNotification): boolean {
    if (!('method' in message)) return this.answer(message);
    if (message.method === STANDALONE_MOVED.method) this.standalone.detach();
    if (message.method !== 'notifications/cancelled') return true;
    const id = message.params?.['requestId'];
    if (!isRequestId(id)) return true;
    const running = this.running.get(id);
    running?.cancel('the request was cancelled');
    return running !== undefined;
  }

  /** Receives the client's response to a request of the gateway. @returns whether this one asked */
  private answer(message: RpcResponse): boolean {
    const question = message.id === undefined ? undefined : this.questions.get(message.id);
    if (question === undefined) return false;
    if ('error' in message) {
      const { code, message: text, data } = message.error;
      question.reject(new RpcError(code, text, data));
    } else question.resolve(message.result);
    return true;
  }

  /** Ends all streams and running requests of the session in this process. */
  end(reason: string): void {
    for (const running of [...this.running.values()]) running.cancel(reason);
    for (const channel of this.channels.values()) channel.end();
    this.standalone.end();
    this.standaloneStream.end();
  }
}
