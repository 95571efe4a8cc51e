import type { ReadMessage, RpcNotification, RpcResponse } from '../json-rpc.ts';
import { ResponseLimitError } from '../response-limits.ts';
import type { RequestExchange, StreamPosition } from './connection.ts';
import { RequestCancelledError, RequestTimeoutError, UnexpectedResponseError } from './connection-errors.ts';
import { MAX_SERVER_REQUESTS, ServerRequests } from './server-requests.ts';

/** The work of a transport for one of its requests. */
export interface RequestCarrier {
  /** Whether the request may have reached the server. */
  readonly isSent: boolean;
  /** Sends the response to a request of the server. */
  respond(response: RpcResponse): Promise<unknown>;
  /** Releases the request after its response. */
  finish(): void;
  /**
   * Releases the request without a response.
   * @param reason why the caller wants none any more; undefined when the server sends none
   */
  abandon(reason: string | undefined): void;
}

/** Notifications about the server. They concern all its clients on any stream. */
const ABOUT_SERVER: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
]);

/** Whether a notification is about the server, and so belongs to no request. */
export const isAboutServer = (method: string): boolean => ABOUT_SERVER.has(method);

/** The longest delay of a timer in Node. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A request without a response yet: its time limits, its cancellation, and the messages of the
 * server that belong to it.
 */
export class PendingRequest {
  private carrier: RequestCarrier | undefined;
  private idle: NodeJS.Timeout | undefined;
  private total: NodeJS.Timeout | undefined;
  private serverRequests: ServerRequests | undefined;
  private isSettled = false;
  private readonly handleAbort = () =>
    this.fail(new RequestCancelledError(this.isSent, { cause: this.exchange.signal.reason }));

  /** @param onServerNotification takes the notifications about the server */
  constructor(
    readonly id: number,
    private readonly exchange: RequestExchange,
    private readonly onServerNotification: (message: RpcNotification) => void,
    private readonly resolve: (response: RpcResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  /** Whether the request has its response or has failed. */
  get hasEnded(): boolean {
    return this.isSettled;
  }

  /** Starts the time limits. @returns false when the caller has aborted the request before */
  start(carrier: RequestCarrier): boolean {
    const { signal, idleTimeoutMs, totalTimeoutMs } = this.exchange;
    if (signal.aborted) {
      this.handleAbort();
      return false;
    }
    this.carrier = carrier;
    signal.addEventListener('abort', this.handleAbort, { once: true });
    if (idleTimeoutMs <= MAX_TIMER_MS && idleTimeoutMs < totalTimeoutMs)
      this.idle = setTimeout(() => this.handleIdle(idleTimeoutMs), idleTimeoutMs);
    if (totalTimeoutMs <= MAX_TIMER_MS)
      this.total = setTimeout(
        () => this.fail(new RequestTimeoutError('total', totalTimeoutMs, this.isSent)),
        totalTimeoutMs,
      );
    return true;
  }

  /** Counts received bytes of the answer. */
  countBytes(bytes: number): void {
    this.exchange.onBytes?.(bytes);
  }

  /** Tells the caller the place up to which the answer was received. */
  reportPosition(position: Omit<StreamPosition, 'requestId'>, hasMessage: boolean): void {
    if (!this.isSettled) this.exchange.onPosition?.({ ...position, requestId: this.id }, hasMessage);
  }

  /** Takes a message that belongs to this request. A response to another request is ignored. */
  receive(read: ReadMessage): void {
    if (this.isSettled) return;
    this.idle?.refresh();
    const { kind } = read;
    if (kind === 'response') {
      if (read.message.id === this.id) this.settle(read.message);
    } else if (kind === 'notification') this.receiveNotification(read.message);
    else if (kind === 'request') {
      const { onRequest } = this.exchange;
      this.serverRequests ??= new ServerRequests(onRequest, async (response) => this.carrier?.respond(response));
      if (!this.serverRequests.receive(read.message))
        this.fail(new ResponseLimitError(`more than ${MAX_SERVER_REQUESTS} requests at a time`));
    } else if (read.error.id === this.id) this.fail(new UnexpectedResponseError('a response that is not valid'));
  }

  /** Takes a progress note that has the token of this request. */
  receiveProgress(message: RpcNotification): void {
    const { progressToken, onNotification } = this.exchange;
    if (this.isSettled) return;
    this.idle?.refresh();
    if (progressToken !== undefined) onNotification?.({ ...message, params: { ...message.params, progressToken } });
  }

  /** Ends the request with its response. */
  settle(response: RpcResponse): void {
    if (!this.end()) return;
    this.carrier?.finish();
    this.resolve(response);
  }

  /** Ends the request without a response. */
  fail(error: Error): void {
    if (!this.end()) return;
    const isOwnDecision =
      error instanceof RequestCancelledError ||
      error instanceof RequestTimeoutError ||
      error instanceof ResponseLimitError;
    this.carrier?.abandon(isOwnDecision ? `The request ended: ${error.code}.` : undefined);
    this.reject(error);
  }

  private get isSent(): boolean {
    return this.carrier?.isSent ?? false;
  }

  /** A server that waits for an answer is not idle. */
  private handleIdle(idleTimeoutMs: number): void {
    if (this.serverRequests?.isOpen === true) this.idle?.refresh();
    else this.fail(new RequestTimeoutError('idle', idleTimeoutMs, this.isSent));
  }

  private receiveNotification(message: RpcNotification): void {
    const { method, params } = message;
    if (method === 'notifications/progress') {
      // Another token belongs to another request, which does not share this stream.
      if (params?.['progressToken'] === this.id) this.receiveProgress(message);
    } else if (method === 'notifications/cancelled') this.serverRequests?.cancel(params?.['requestId']);
    else if (isAboutServer(method)) this.onServerNotification(message);
    else this.exchange.onNotification?.(message);
  }

  /** @returns false when the request has ended before: the first outcome counts */
  private end(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    clearTimeout(this.idle);
    clearTimeout(this.total);
    this.exchange.signal.removeEventListener('abort', this.handleAbort);
    this.serverRequests?.end();
    return true;
  }
}
