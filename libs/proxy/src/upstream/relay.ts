/**
 * Streams one response from the upstream to the client. This is the hot path: it has one object for
 * each request and no closures.
 */
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { encodeEvent, EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import type { RequestId } from '@gatehouse/mcp/errors';
import { readMessage } from '@gatehouse/mcp/json-rpc';
import type { AnswerBody, Exchange } from '../pipeline/exchange.ts';
import { ClientDisconnectedError, refuse } from '../pipeline/exchange.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import { parseConnectionOptions, DROPPED_RESPONSE_HEADERS } from '../passes/forward-headers.ts';
import {
  AcceptedAnswer,
  chooseAnswerForm,
  EventAnswer,
  isJsonType,
  JsonAnswer,
  MAX_ANSWER_BYTES,
  showJson,
  UnreadableAnswerError,
} from './answer-body.ts';
import { describeUpstreamFailure } from './errors.ts';
import type { SessionRecovery } from './session-recovery.ts';

type Controller = Dispatcher.DispatchController;

/** Ends a request whose token the server has refused. */
class TokenRefusedError extends GatehouseError {
  override readonly code = 'upstream_token_refused';
}

/** A response with a reference to its relay for the 'close' and 'drain' handlers. */
type RelayedResponse = ServerResponse & { relay?: Relay };

/** The handlers of refusals of the token of the proxy. They answer in the place of the relay. */
export interface TokenRefusals {
  /** The server answers 401. */
  readonly onUnauthorized: (() => void) | undefined;
  /** The server answers 403 with `insufficient_scope`. */
  readonly onTooFewScopes: ((challenge: string) => void) | undefined;
}

/** How a request is sent again after the recovery of its session. */
export interface Repeat {
  readonly recovery: SessionRecovery;
  readonly send: () => void;
}

/** An answer that is not read to its end is at most so large, in bytes. */
const MAX_DROPPED_BYTES = 64 * 1024;

/** A JSON body of a known length up to this one reaches the client whole, or not at all. */
const MAX_HELD_BYTES = 64 * 1024;

/** Bytes up to this number are written as text of one byte for each character, which is faster. */
const MAX_TEXT_BYTES = 8 * 1024;

/** Handler of one undici dispatch. */
export class Relay implements Dispatcher.DispatchHandler {
  private readonly exchange: Exchange;
  private readonly origin: string;
  private readonly log: (line: ProxyLogLine) => void;
  private controller: Controller | undefined = undefined;
  private clientGone = false;
  private eventStream = false;
  /** Reads the answer for the passes; undefined: its bytes pass unread. */
  private answer: AnswerBody | undefined = undefined;
  /** Whether a JSON answer that passes unread is shown to observers. */
  private isObserved = false;
  /** Whether the client gets the body whole, so that it can get an error in its place. */
  private isHeld = false;
  private held: Buffer[] | undefined = undefined;
  /** The head waits for the first byte of the body: until then, the client can get an error. */
  private head: { status: number; headers: string[] } | undefined = undefined;
  /** Remaining bytes of the response; NaN when the upstream sent no Content-Length. */
  private remaining = Number.NaN;
  private readonly repeat: Repeat | undefined;
  /** The status of an answer that the client does not get, because its session is recovered. */
  private lostStatus: number | undefined = undefined;
  private readonly refusals: TokenRefusals;
  private isReplaced = false;

  constructor(
    exchange: Exchange,
    origin: string,
    log: (line: ProxyLogLine) => void,
    repeat: Repeat | undefined,
    refusals: TokenRefusals,
  ) {
    this.refusals = refusals;
    this.exchange = exchange;
    this.origin = origin;
    this.log = log;
    this.repeat = repeat;
    const response: RelayedResponse = exchange.response;
    response.relay = this;
    // Before the listeners of the passes, which report how the exchange has ended.
    response.prependListener('close', onClose);
  }

  /** Aborts the upstream request after the client has disconnected. */
  handleDisconnect(): void {
    this.clientGone = true;
    // A client can leave a stream once it has what it needs.
    if (!this.eventStream) this.exchange.interruption ??= 'client';
    this.controller?.abort(new ClientDisconnectedError('The client disconnected.'));
  }

  /** Resumes the upstream when the client can receive more data. */
  handleDrain(): void {
    this.controller?.resume();
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.clientGone) controller.abort(new ClientDisconnectedError('The client disconnected.'));
  }

  onResponseStart(controller: Controller, status: number, parsed: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    if ((status === 401 || status === 403) && this.isTokenRefused(controller, status, parsed)) return;
    if (this.repeat?.recovery.canRecover(this.exchange, status) === true) {
      this.lostStatus = status;
      this.remaining = MAX_DROPPED_BYTES;
      return;
    }
    const { response, onUpstreamHead } = this.exchange;
    const headers = this.createResponseHeaders(status, controller.rawHeaders as (Buffer | string)[], parsed);
    if (this.exchange.readers !== undefined || this.exchange.streamBody !== undefined) this.readAnswer(status, parsed);
    onUpstreamHead?.(status, headers);
    if (this.answer !== undefined) {
      this.startReading(status, withoutLength(headers));
      if (this.answer instanceof EventAnswer) this.announce(controller);
      return;
    }
    this.head = { status, headers };
    const length = parsed['content-length'];
    if (typeof length === 'string') this.remaining = Number(length);
    const type = parsed['content-type'];
    if (typeof type !== 'string') return;
    if (type.startsWith(EVENT_STREAM)) {
      this.eventStream = true;
      // Clients wait for the headers of the stream, which must not wait for the first event.
      this.sendHead();
      response.flushHeaders();
      this.announce(controller);
    } else if (isJsonType(type)) this.isHeld = this.remaining <= (this.isObserved ? MAX_ANSWER_BYTES : MAX_HELD_BYTES);
  }

  /** Lets another handler answer where the server refuses the token of the proxy. */
  private isTokenRefused(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): boolean {
    const { onUnauthorized, onTooFewScopes } = this.refusals;
    const challenge = [headers['www-authenticate'] ?? []].flat().join(', ');
    const handle =
      status === 401
        ? onUnauthorized
        : /\binsufficient_scope\b/.test(challenge)
          ? onTooFewScopes && (() => onTooFewScopes(challenge))
          : undefined;
    if (handle === undefined) return false;
    this.isReplaced = true;
    controller.abort(new TokenRefusedError('The server refuses the token.'));
    handle();
    return true;
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.lostStatus !== undefined) {
      this.remaining -= chunk.length;
      if (this.remaining < 0) controller.abort(new Error('the answer is not needed'));
      return;
    }
    if (this.answer !== undefined) {
      this.readChunk(controller, this.answer, chunk);
      return;
    }
    this.remaining -= chunk.length;
    if (this.remaining === 0) this.endWith(this.held === undefined ? chunk : Buffer.concat([...this.held, chunk]));
    else if (this.isHeld) (this.held ??= []).push(chunk);
    else this.write(controller, chunk);
  }

  onResponseEnd(): void {
    if (this.lostStatus !== undefined) void this.recover(this.lostStatus);
    else if (this.answer !== undefined) this.endReading(this.answer);
    else if (!this.exchange.response.writableEnded) {
      this.sendHead();
      this.exchange.response.end();
    }
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { response } = this.exchange;
    if (this.isReplaced || this.clientGone || error instanceof ClientDisconnectedError) return;
    if (this.lostStatus !== undefined) {
      void this.recover(this.lostStatus);
      return;
    }
    if (response.headersSent) {
      this.exchange.interruption = 'server';
      this.log({
        level: 'warn',
        message: 'The MCP server ended the connection before the end of its response.',
        cause: error,
      });
      // A stream can end after any event. Any other body is incomplete, which the client must see.
      if (this.eventStream) response.end();
      else response.destroy();
      return;
    }
    const { status, code, message, shouldLog } = describeUpstreamFailure(error);
    if (shouldLog) this.log({ level: 'warn', message, cause: error });
    refuse(
      response,
      status,
      code,
      message,
      findRequestId(this.exchange),
      status === 413 ? { connection: 'close' } : {},
    );
  }

  /** A JSON body of known length passes unread where passes only observe it. */
  private readAnswer(status: number, headers: Record<string, string | string[] | undefined>): void {
    const answer = createAnswer(this.exchange, status, headers);
    const isObserved = answer instanceof JsonAnswer && this.exchange.readers?.isObserving === true;
    if (isObserved && headers['content-length'] !== undefined) this.isObserved = true;
    else this.answer = answer;
  }

  private async recover(status: number): Promise<void> {
    await this.repeat?.recovery.recover(this.exchange, status);
    if (this.clientGone) return;
    this.exchange.response.off('close', onClose);
    this.repeat?.send();
  }

  /** Tells the client of a recovered session that its lists may have changed. */
  private announce(controller: Controller): void {
    const { httpSession: session } = this.exchange;
    if (session === undefined || session.announcements.length === 0) return;
    const bytes = Buffer.from(
      session.announcements.map((method) => encodeEvent({ data: JSON.stringify({ jsonrpc: '2.0', method }) })).join(''),
    );
    session.announcements = [];
    if (this.answer === undefined) this.write(controller, bytes);
    else this.readChunk(controller, this.answer, bytes);
  }

  private sendHead(): void {
    const { head } = this;
    if (head !== undefined && !this.exchange.response.headersSent)
      this.exchange.response.writeHead(head.status, head.headers);
  }

  /** Sends the last bytes, or the whole body. */
  private endWith(body: Buffer): void {
    const { response } = this.exchange;
    this.sendHead();
    // `end` sends headers and a whole body in one write, and a short text in one piece with them.
    if (body.length <= MAX_TEXT_BYTES) response.end(body.toString('latin1'), 'latin1');
    else response.end(body);
    if (this.isObserved && this.isHeld) showJson(this.exchange, body);
  }

  private write(controller: Controller, chunk: Buffer): void {
    this.sendHead();
    if (this.exchange.response.write(chunk)) return;
    controller.pause();
    this.exchange.response.once('drain', onDrain);
  }

  /** The head waits for a body whose length can change, and for the first event of a session. */
  private startReading(status: number, headers: string[]): void {
    const { response } = this.exchange;
    this.head = { status, headers };
    this.eventStream = !isWhole(this.answer);
    if (!(this.answer instanceof EventAnswer)) return;
    this.sendHead();
    response.flushHeaders();
  }

  private readChunk(controller: Controller, answer: AnswerBody, chunk: Buffer): void {
    const bytes = answer.push(chunk);
    if (bytes === undefined) return;
    this.sendHead();
    if (answer instanceof JsonAnswer) this.answer = undefined;
    if (bytes.length > 0) this.write(controller, bytes);
  }

  private endReading(answer: AnswerBody): void {
    const { response } = this.exchange;
    const bytes = answer.end();
    if (!response.headersSent) {
      const { status, headers } = this.head ?? { status: 502, headers: [] };
      response.writeHead(status, [...headers, 'content-length', String(bytes.length)]);
    }
    response.end(bytes);
  }

  private createResponseHeaders(
    status: number,
    raw: readonly (Buffer | string)[],
    parsed: Record<string, string | string[] | undefined>,
  ): string[] {
    const connection = parsed['connection'];
    const named = typeof connection === 'string' ? parseConnectionOptions(connection.toLowerCase()) : undefined;
    const headers: string[] = [];
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at]?.toString('latin1') ?? '';
      const lower = name.toLowerCase();
      if (DROPPED_RESPONSE_HEADERS.has(lower) || named?.has(lower) === true) continue;
      const value = raw[at + 1]?.toString('latin1') ?? '';
      headers.push(name, status >= 300 && lower === 'location' ? this.rewriteLocation(value) : value);
    }
    return headers;
  }

  /** Makes a redirect to the upstream relative, because clients reach it only through the proxy. */
  private rewriteLocation(value: string): string {
    return value.startsWith(`${this.origin}/`) ? value.slice(this.origin.length) : value;
  }
}

/** Ends the response at the client and the request at the server, after what was sent. */
export function endRelayed(response: RelayedResponse): void {
  response.relay?.handleDisconnect();
  response.end();
}

function createAnswer(
  exchange: Exchange,
  status: number,
  headers: Record<string, string | string[] | undefined>,
): AnswerBody | undefined {
  const { answerStream, streamBody, readers } = exchange;
  if (answerStream !== undefined)
    return readers?.isRequired === true && status < 300 ? new AcceptedAnswer() : undefined;
  const isEvents = String(headers['content-type']).toLowerCase().startsWith(EVENT_STREAM);
  if (streamBody !== undefined && isEvents && status < 300) {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new UnreadableAnswerError('The stream is compressed.');
    return streamBody;
  }
  const form = chooseAnswerForm(exchange, status, headers);
  if (form === 'unread') return undefined;
  return form === 'json' ? new JsonAnswer(exchange, status) : new EventAnswer(exchange);
}

const isWhole = (answer: AnswerBody | undefined): boolean =>
  answer instanceof JsonAnswer || answer instanceof AcceptedAnswer;

const withoutLength = (headers: readonly string[]): string[] =>
  headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'content-length');

/** The client matches an error to its request by the id. */
export function findRequestId({ message, body }: Exchange): RequestId | undefined {
  const read = message ?? (body && readMessage(body.toString('utf8')));
  return read?.kind === 'request' ? read.message.id : undefined;
}

function onClose(this: RelayedResponse): void {
  if (!this.writableFinished) this.relay?.handleDisconnect();
}

function onDrain(this: RelayedResponse): void {
  this.relay?.handleDrain();
}
