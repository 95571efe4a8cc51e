/**
 * The messages of one process that many callers share. Each request gets a new id; its response
 * gets the caller's id, progress token and subscription id back. So the ids of one caller cannot
 * collide with those of another.
 */
import { ErrorCode, createErrorResponse } from '@gatehouse/mcp/errors';
import type { RequestId } from '@gatehouse/mcp/errors';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { MetaKey, getMeta, getProgressToken, addMeta } from '@gatehouse/mcp/meta';
import type { ProxyLogLine, StdioProcess } from '../pipeline/options.ts';
import { readLines } from './lines.ts';

/** Receives the response to a request. */
export interface CallSink {
  /** Receives a message that belongs to the request and precedes its response. */
  notify(message: RpcNotification): void;
  /** Receives the response, the last message. */
  settle(message: RpcResponse): void;
}

/** Receives the messages that belong to no request. */
export interface ConnectionEvents {
  onNotification(message: RpcNotification): void;
  onRequest(message: RpcRequest): void;
  onEnd(): void;
}

/** A request without a response yet. */
export interface Call {
  /** The id that the process sees. */
  readonly upstreamId: number;
  /** The id that the caller chose. */
  readonly id: RequestId;
  readonly method: string;
  readonly token: RequestId | undefined;
  /** Whether the request asked for its own log messages (revision 2026-07-28). */
  readonly wantsLog: boolean;
  readonly sink: CallSink;
}

/** Unread input above this size means that the process has stopped reading. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** The message stream of one process. */
export class StdioConnection {
  private readonly process: StdioProcess;
  private readonly log: (line: ProxyLogLine) => void;
  private readonly calls = new Map<number, Call>();
  private nextId = 1;
  private isEnded = false;

  constructor(process: StdioProcess, events: ConnectionEvents, log: (line: ProxyLogLine) => void) {
    this.process = process;
    this.log = log;
    // A write to a process that has just ended fails here. The output reports the end.
    process.input.on('error', (cause) =>
      log({ level: 'debug', message: 'The input of the MCP server failed.', cause }),
    );
    readLines(process.output, {
      onMessage: (read) => {
        if (read.kind === 'response') this.settle(read.message);
        else if (read.kind === 'request') events.onRequest(read.message);
        else if (!this.route(read.message)) events.onNotification(read.message);
      },
      onInvalidLine: (text) =>
        log({ level: 'debug', message: `The MCP server printed a line that is not a message: ${text}` }),
      onEnd: (cause) => {
        if (this.isEnded) return;
        this.end(cause);
        events.onEnd();
      },
    });
  }

  /** Whether the process still runs. */
  get isAlive(): boolean {
    return !this.isEnded;
  }

  /** Number of requests without a response. */
  get pendingCount(): number {
    return this.calls.size;
  }

  /** The requests without a response. */
  listOpenCalls(): Iterable<Call> {
    return this.calls.values();
  }

  /** Sends a request. The sink gets exactly one response, even when the process ends first. */
  call(request: RpcRequest, sink: CallSink): Call {
    const upstreamId = this.nextId++;
    const token = getProgressToken(request.params);
    const wantsLog = getMeta(request.params)?.[MetaKey.logLevel] !== undefined;
    const call: Call = { upstreamId, id: request.id, method: request.method, token, wantsLog, sink };
    if (this.isEnded || this.process.input.writableLength > MAX_WAITING_BYTES) {
      const reason = this.isEnded ? 'The MCP server has ended.' : 'The MCP server does not read its input.';
      queueMicrotask(() => sink.settle(createErrorResponse(request.id, ErrorCode.internalError, reason)));
      return call;
    }
    this.calls.set(upstreamId, call);
    const params =
      token === undefined ? request.params : addMeta(request.params, { [MetaKey.progressToken]: upstreamId });
    this.write({ ...request, id: upstreamId, ...(params === undefined ? {} : { params }) });
    return call;
  }

  /** Cancels a request at the process. A late response is dropped. */
  cancel(call: Call, reason: string): void {
    if (!this.calls.delete(call.upstreamId)) return;
    // The specification forbids the cancellation of `initialize`.
    if (call.method === 'initialize') return;
    this.write({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: call.upstreamId, reason },
    });
  }

  /** Sends a notification, or the response to a request of the process. */
  send(message: RpcNotification | RpcResponse): void {
    this.write(message);
  }

  /** Ends the process. Open requests get an error. */
  async close(): Promise<void> {
    this.end(undefined);
    await this.process.stop();
  }

  private write(message: RpcMessage): void {
    if (!this.isEnded) this.process.input.write(`${JSON.stringify(message)}\n`);
  }

  private settle(message: RpcResponse): void {
    const call = typeof message.id === 'number' ? this.calls.get(message.id) : undefined;
    if (call === undefined) {
      this.log({ level: 'debug', message: 'The MCP server answered an unknown or cancelled request.' });
      return;
    }
    this.calls.delete(call.upstreamId);
    call.sink.settle({ ...message, id: call.id });
  }

  /** Delivers a notification that belongs to one request; returns false for all others. */
  private route(message: RpcNotification): boolean {
    const subscription = getMeta(message.params)?.[MetaKey.subscriptionId];
    if (typeof subscription === 'number') {
      const call = this.calls.get(subscription);
      call?.sink.notify({ ...message, params: addMeta(message.params, { [MetaKey.subscriptionId]: call.id }) });
      return true;
    }
    if (message.method !== 'notifications/progress') return false;
    const token = message.params?.['progressToken'];
    const call = typeof token === 'number' ? this.calls.get(token) : undefined;
    if (call?.token !== undefined)
      call.sink.notify({ ...message, params: { ...message.params, progressToken: call.token } });
    return true;
  }

  private end(cause: unknown): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const calls = [...this.calls.values()];
    this.calls.clear();
    this.log({ level: calls.length === 0 ? 'debug' : 'warn', message: 'The MCP server process ended.', cause });
    for (const { id, sink } of calls) {
      sink.settle(createErrorResponse(id, ErrorCode.internalError, 'The MCP server ended before it answered.'));
    }
  }
}
