/**
 * Carries one answer from the upstream to the client, chunk by chunk. One object a request and no
 * closures: this is the hot path.
 */
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import type { Exchange } from '../pipeline/exchange.ts';
import { refuse } from '../pipeline/exchange.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import { connectionOptions, DROPPED_FROM_ANSWERS } from '../passes/forward-headers.ts';
import { upstreamFailure } from './errors.ts';

type Controller = Dispatcher.DispatchController;

/**
 * The response as the relay uses it: 'close' and 'drain' find their way back through this member.
 */
type Relayed = ServerResponse & { relay?: Relay };

/** The reason by which an upstream request is aborted when its client has gone. */
class ClientDisconnected extends GatehouseError {
  override readonly code = 'client_disconnected';
}

/** Handler of one undici dispatch. */
export class Relay implements Dispatcher.DispatchHandler {
  private readonly exchange: Exchange;
  private readonly origin: string;
  private readonly log: (line: ProxyLogLine) => void;
  private controller: Controller | undefined = undefined;
  private clientGone = false;
  private eventStream = false;
  /** Bytes of the answer that are still to come, when the upstream said how many; NaN otherwise. */
  private remaining = Number.NaN;

  constructor(exchange: Exchange, origin: string, log: (line: ProxyLogLine) => void) {
    this.exchange = exchange;
    this.origin = origin;
    this.log = log;
    const response: Relayed = exchange.response;
    response.relay = this;
    response.on('close', onClose);
  }

  /**
   * Called when the client's connection is over; the upstream request goes with it unless it was
   * finished.
   */
  disconnected(): void {
    this.clientGone = true;
    this.controller?.abort(new ClientDisconnected('The client disconnected.'));
  }

  /** Called when the client can take more. */
  drained(): void {
    this.controller?.resume();
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.clientGone) controller.abort(new ClientDisconnected('The client disconnected.'));
  }

  onResponseStart(controller: Controller, status: number, parsed: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    const { response, onUpstreamHead } = this.exchange;
    const headers = this.answerHeaders(status, controller.rawHeaders as (Buffer | string)[], parsed);
    onUpstreamHead?.(status, headers);
    response.writeHead(status, headers);
    const length = parsed['content-length'];
    if (typeof length === 'string') this.remaining = Number(length);
    const type = parsed['content-type'];
    if (typeof type === 'string' && type.startsWith(EVENT_STREAM)) {
      this.eventStream = true;
      // The client waits for the stream to open, not for its first event.
      response.flushHeaders();
    }
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const { response } = this.exchange;
    this.remaining -= chunk.length;
    // Headers and the whole body leave in one write.
    if (this.remaining === 0) response.end(chunk);
    else if (!response.write(chunk)) {
      controller.pause();
      response.once('drain', onDrain);
    }
  }

  onResponseEnd(): void {
    if (!this.exchange.response.writableEnded) this.exchange.response.end();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { response } = this.exchange;
    if (this.clientGone || error instanceof ClientDisconnected) return;
    if (response.headersSent) {
      this.log({
        level: 'warn',
        message: 'The MCP server ended the connection in the middle of an answer.',
        cause: error,
      });
      // Every event is complete in itself, so a stream may end anywhere; any other body must be
      // seen to be cut short.
      if (this.eventStream) response.end();
      else response.destroy();
      return;
    }
    const { status, code, sentence, log } = upstreamFailure(error);
    if (log) this.log({ level: 'warn', message: sentence, cause: error });
    refuse(response, status, code, sentence, undefined, status === 413 ? { connection: 'close' } : {});
  }

  private answerHeaders(
    status: number,
    raw: readonly (Buffer | string)[],
    parsed: Record<string, string | string[] | undefined>,
  ): string[] {
    const connection = parsed['connection'];
    const named = typeof connection === 'string' ? connectionOptions(connection.toLowerCase()) : undefined;
    const headers: string[] = [];
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at]?.toString('latin1') ?? '';
      const lower = name.toLowerCase();
      if (DROPPED_FROM_ANSWERS.has(lower) || named?.has(lower) === true) continue;
      const value = raw[at + 1]?.toString('latin1') ?? '';
      headers.push(name, status >= 300 && lower === 'location' ? this.location(value) : value);
    }
    return headers;
  }

  /**
   * A redirect to the upstream's own address would lead the client around the proxy, or nowhere.
   */
  private location(value: string): string {
    return value.startsWith(`${this.origin}/`) ? value.slice(this.origin.length) : value;
  }
}

function onClose(this: Relayed): void {
  if (!this.writableFinished) this.relay?.disconnected();
}

function onDrain(this: Relayed): void {
  this.relay?.drained();
}
