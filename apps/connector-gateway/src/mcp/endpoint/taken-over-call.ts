import { createErrorResponse, ErrorCode, type RequestId, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcMessage, RpcNotification, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isSevereEnough } from '@gatehouse/mcp/log-levels';
import type { Channel } from '@gatehouse/mcp/server/channel';
import type { AuthenticatedUser } from '../access/access.ts';
import type { ClientCall } from '../calls/client-call.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import type { TakenCall, UpstreamCall } from '../ports/stream-owners.ts';
import type { RunningRecord } from '../ports/tool-call.ts';
import type { Session } from '../sessions/session.ts';

/** A call that this replica took over, bound to the stream that its client resumes. */
export class TakenOverCall implements ClientCall {
  readonly user: AuthenticatedUser;
  readonly scope: EndpointScope;
  readonly method = 'tools/call';
  readonly params: JsonObject;
  readonly sessionId: string;
  readonly capabilities: JsonObject;
  readonly taskForm = undefined;
  isRecorded = true;
  record: RunningRecord | undefined;
  private readonly ended = new AbortController();
  private readonly channel: Channel;
  private upstream: UpstreamCall;

  constructor(
    private readonly taken: TakenCall,
    private readonly session: Session,
  ) {
    const { owner, upstream, record } = taken;
    // The claims of the token are unknown here; no decision is made after the call was admitted.
    this.user = { issuer: owner.issuer, subject: owner.subject, claims: {} };
    this.scope = { slug: owner.slug ?? undefined, mode: owner.mode ?? undefined };
    const { progressToken } = upstream;
    this.params = progressToken === undefined ? {} : { _meta: { progressToken } };
    this.sessionId = session.id;
    this.capabilities = session.capabilities;
    this.record = record;
    this.upstream = upstream;
    this.channel = session.adoptChannel(taken);
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  get logLevel(): string | undefined {
    return this.session.logLevel;
  }

  readHeader(): undefined {
    return undefined;
  }

  /** The replica that received the request held its bytes. */
  retainBytes(): () => void {
    return () => undefined;
  }

  isClientSlow(): boolean {
    return false;
  }

  follow(upstream: UpstreamCall, hasMessage: boolean): void {
    this.upstream = upstream;
    if (!hasMessage) this.taken.stream.note(upstream);
  }

  notify(message: RpcNotification): void {
    this.send(message);
  }

  log(message: RpcNotification): void {
    if (isSevereEnough(message, this.logLevel)) this.notify(message);
  }

  ask(method: string, params: JsonObject | undefined, question?: RequestId): Promise<JsonObject> {
    const send = (message: RpcMessage) => {
      this.send(message, question);
      return true;
    };
    return this.session.ask(method, params, send, this.signal);
  }

  /** Ends the call at the wish of the client. */
  cancel(reason: string): void {
    this.settle(createErrorResponse(this.taken.requestId, ErrorCode.timeout, reason));
    this.ended.abort();
  }

  /** Sends the response, which ends the stream. Only the first one counts. */
  settle(response: RpcResponse): void {
    if (this.channel.isEnded) return;
    this.send(response);
    this.channel.end();
    this.taken.stream.end();
    this.session.finish(this.taken.requestId);
    this.session.keepFinished(this.channel);
  }

  /** The questions that clients may have received, with the upstream's ids. */
  listQuestions(): { id: RequestId; question: RequestId }[] {
    return this.taken.events.flatMap(({ frame, question }) => {
      const id = question === null ? undefined : readId(frame);
      return id === undefined || question === null ? [] : [{ id, question }];
    });
  }

  /** Waits for the client's answer to a question of the other replica. @returns the response */
  async awaitAnswer(id: RequestId, question: RequestId): Promise<RpcResponse> {
    try {
      return { jsonrpc: '2.0', id: question, result: await this.session.awaitAnswer(id, this.signal) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return createErrorResponse(question, error.rpcCode, error.message, error.data);
    }
  }

  private send(message: RpcMessage, question?: RequestId): void {
    if (this.channel.isEnded) return;
    this.taken.stream.setOrigin({ upstream: this.upstream, question });
    this.channel.send(message);
  }
}

/** The id of the request in an event. */
function readId(frame: string): RequestId | undefined {
  const [, data] = /^data: ?(.*)$/m.exec(frame) ?? [];
  return data === undefined ? undefined : (JSON.parse(data) as { id?: RequestId }).id;
}
