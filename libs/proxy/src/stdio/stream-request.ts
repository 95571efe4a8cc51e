import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { RpcMessage, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import type { Exchange } from '../pipeline/exchange.ts';
import type { RequestResponder } from './session.ts';

const TIMEOUT_MESSAGE = 'The request exceeded its time limit.';

/** The part of a stream that a {@link StreamRequest} uses. */
interface StreamRequestOptions {
  /** Sends a message to the client, after the passes have seen it. */
  readonly send: (message: RpcMessage) => void;
  /** Undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** The client no longer waits for the response. */
  readonly onAbandoned: (reason: string) => void;
  /** Called once, when the request is over. */
  readonly onFinished: (request: StreamRequest) => void;
}

/** A posted request whose messages go to the stream of its session. */
export class StreamRequest implements RequestResponder {
  private readonly timer: NodeJS.Timeout | undefined;
  private isFinished = false;
  private isCancelled = false;

  constructor(
    private readonly exchange: Exchange,
    readonly request: RpcRequest,
    private readonly options: StreamRequestOptions,
  ) {
    if (options.timeoutMs !== undefined) this.timer = setTimeout(() => this.timeOut(), options.timeoutMs);
  }

  get canStream(): boolean {
    return !this.isFinished;
  }

  push(message: RpcMessage): boolean {
    if (this.isFinished) return false;
    this.options.send(this.exchange.deliver(message));
    return true;
  }

  settle(message: RpcResponse): void {
    if (this.isFinished) return;
    const delivered = this.exchange.deliver(message);
    this.isFinished = true;
    clearTimeout(this.timer);
    if (!this.isCancelled) this.options.send(delivered);
    this.options.onFinished(this);
    this.exchange.completeAnswer({ isAnswered: !this.isCancelled });
  }

  /** The client has cancelled the request, which therefore gets no response. The passes see one. */
  cancel(): void {
    this.isCancelled = true;
  }

  private timeOut(): void {
    this.options.onAbandoned(TIMEOUT_MESSAGE);
    this.settle(createErrorResponse(this.request.id, ErrorCode.timeout, TIMEOUT_MESSAGE));
  }
}
