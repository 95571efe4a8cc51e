/**
 * One process, many callers: every request gets an id of its own on the way in, and gets its
 * caller's id, progress token and subscription id back on the way out. Nothing that one caller
 * chooses can reach another.
 */
import { ErrorCode, errorResponse } from '@gatehouse/mcp/errors';
import type { RequestId } from '@gatehouse/mcp/errors';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { MetaKey, metaOf, progressTokenOf, withMeta } from '@gatehouse/mcp/meta';
import type { ProxyLogLine, StdioProcess } from '../pipeline/options.ts';
import { readLines } from './lines.ts';

/** Where the answer to a request goes. */
export interface CallSink {
  /** A message that belongs to the request and comes before its answer. */
  notify(message: RpcNotification): void;
  /** The answer; nothing comes after it. */
  settle(message: RpcResponse): void;
}

/** Takes what the process says without being asked. */
export interface ConnectionEvents {
  notification(message: RpcNotification): void;
  request(message: RpcRequest): void;
  ended(): void;
}

/** A request that the process is working on. */
export interface Call {
  /** The id on the process's side. */
  readonly upstreamId: number;
  /** The id that the caller chose. */
  readonly id: RequestId;
  readonly method: string;
  readonly token: RequestId | undefined;
  /** True when the request asked for log messages of its own (2026-07-28). */
  readonly wantsLog: boolean;
  readonly sink: CallSink;
}

/** Waiting input beyond this means that the process has stopped reading. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** The message stream of one process. */
export class StdioConnection {
  private readonly process: StdioProcess;
  private readonly log: (line: ProxyLogLine) => void;
  private readonly calls = new Map<number, Call>();
  private nextId = 1;
  private over = false;

  constructor(process: StdioProcess, events: ConnectionEvents, log: (line: ProxyLogLine) => void) {
    this.process = process;
    this.log = log;
    // A write to a process that just died fails here; its end is reported by the output.
    process.input.on('error', (cause) =>
      log({ level: 'debug', message: 'The input of the MCP server failed.', cause }),
    );
    readLines(process.output, {
      message: (read) => {
        if (read.kind === 'response') this.settle(read.message);
        else if (read.kind === 'request') events.request(read.message);
        else if (!this.route(read.message)) events.notification(read.message);
      },
      noise: (text) => log({ level: 'debug', message: `The MCP server printed something that is no message: ${text}` }),
      ended: (cause) => {
        if (this.over) return;
        this.end(cause);
        events.ended();
      },
    });
  }

  /** False once the process has ended. */
  get alive(): boolean {
    return !this.over;
  }

  /** Requests without an answer. */
  get pending(): number {
    return this.calls.size;
  }

  /** The requests without an answer. */
  open(): Iterable<Call> {
    return this.calls.values();
  }

  /** Sends a request. Its sink hears exactly one answer, also when the process ends first. */
  call(request: RpcRequest, sink: CallSink): Call {
    const upstreamId = this.nextId++;
    const token = progressTokenOf(request.params);
    const wantsLog = metaOf(request.params)?.[MetaKey.logLevel] !== undefined;
    const call: Call = { upstreamId, id: request.id, method: request.method, token, wantsLog, sink };
    if (this.over || this.process.input.writableLength > MAX_WAITING_BYTES) {
      const sentence = this.over ? 'The MCP server has ended.' : 'The MCP server does not read its input.';
      queueMicrotask(() => sink.settle(errorResponse(request.id, ErrorCode.internalError, sentence)));
      return call;
    }
    this.calls.set(upstreamId, call);
    const params =
      token === undefined ? request.params : withMeta(request.params, { [MetaKey.progressToken]: upstreamId });
    this.write({ ...request, id: upstreamId, ...(params === undefined ? {} : { params }) });
    return call;
  }

  /**
   * Tells the process that nobody waits for this answer any more, and forgets the call: a late
   * answer is dropped.
   */
  cancel(call: Call, reason: string): void {
    if (!this.calls.delete(call.upstreamId)) return;
    // The protocol forbids to cancel the handshake.
    if (call.method === 'initialize') return;
    this.write({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: call.upstreamId, reason },
    });
  }

  /** Sends a notification, or the answer to a request of the process. */
  send(message: RpcNotification | RpcResponse): void {
    this.write(message);
  }

  /** Ends the process; open calls are answered with an error. */
  async close(): Promise<void> {
    this.end(undefined);
    await this.process.stop();
  }

  private write(message: RpcMessage): void {
    if (!this.over) this.process.input.write(`${JSON.stringify(message)}\n`);
  }

  private settle(message: RpcResponse): void {
    const call = typeof message.id === 'number' ? this.calls.get(message.id) : undefined;
    if (call === undefined) {
      this.log({ level: 'debug', message: 'The MCP server answered a request that nobody waits for.' });
      return;
    }
    this.calls.delete(call.upstreamId);
    call.sink.settle({ ...message, id: call.id });
  }

  /** Delivers what belongs to one request; false for everything else. */
  private route(message: RpcNotification): boolean {
    const subscription = metaOf(message.params)?.[MetaKey.subscriptionId];
    if (typeof subscription === 'number') {
      const call = this.calls.get(subscription);
      call?.sink.notify({ ...message, params: withMeta(message.params, { [MetaKey.subscriptionId]: call.id }) });
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
    if (this.over) return;
    this.over = true;
    const calls = [...this.calls.values()];
    this.calls.clear();
    this.log({ level: calls.length === 0 ? 'debug' : 'warn', message: 'The MCP server process ended.', cause });
    for (const { id, sink } of calls) {
      sink.settle(errorResponse(id, ErrorCode.internalError, 'The MCP server ended before it answered.'));
    }
  }
}
