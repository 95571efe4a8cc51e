/**
 * Reads the answer of an HTTP server for the passes: the message of a JSON body, or of each event
 * of a stream. Bytes of messages that no pass replaces are not changed.
 */
import { EventSplitter } from '@gatehouse/mcp/event-splitter';
import { parseEventFields } from '@gatehouse/mcp/event-fields';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import { readMessage, readValue } from '@gatehouse/mcp/json-rpc';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { parseExactly } from '../json/exact-json.ts';
import type { MessageReader } from '../pipeline/answer-readers.ts';
import { ACCEPTED } from '../pipeline/exchange.ts';
import type { AnswerBody, Exchange } from '../pipeline/exchange.ts';

/** The largest JSON body, and the largest event of a stream, that passes read. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** A pass must see the answer, and it cannot be read. The client gets 502 in its place. */
export class UnreadableAnswerError extends GatehouseError {
  override readonly code = 'unreadable_answer';
}

/** How the answer with these headers is read. */
export type AnswerForm = 'json' | 'events' | 'unread';

/**
 * Chooses how an answer is read.
 * @throws UnreadableAnswerError when a pass must see an answer that is compressed
 */
export function chooseAnswerForm(
  exchange: Exchange,
  status: number,
  headers: Record<string, string | string[] | undefined>,
): AnswerForm {
  const { readers, method } = exchange;
  if (readers === undefined || method === 'HEAD' || status === 204 || status === 304) return 'unread';
  const encoding = headers['content-encoding'] ?? 'identity';
  const isSuccess = status < 300;
  if (encoding !== 'identity') {
    if (readers.isRequired && isSuccess) throw new UnreadableAnswerError('The answer is compressed.');
    return 'unread';
  }
  const type = String(headers['content-type'] ?? '').toLowerCase();
  if (type.startsWith(EVENT_STREAM)) return 'events';
  // A wrong content type does not hide an answer from a pass that must see it.
  if (isJsonType(type) || (readers.isRequired && isSuccess)) return 'json';
  return 'unread';
}

/** Whether a content type is that of JSON. */
export const isJsonType = (type: string): boolean => type.startsWith('application/json');

/** The body of a POST whose answer comes on a stream: the passes see it there, and never here. */
export class AcceptedAnswer implements AnswerBody {
  push(): undefined {
    return undefined;
  }

  end(): Buffer {
    return ACCEPTED;
  }
}

/** Reads the message of a JSON body. */
export class JsonAnswer implements AnswerBody {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly status: number,
  ) {}

  private get isRequired(): boolean {
    return this.exchange.readers?.isRequired === true && this.status < 300;
  }

  /**
   * Keeps a chunk.
   * @returns the bytes so far when the body is too large to be read; the rest passes unread
   * @throws UnreadableAnswerError
   */
  push(chunk: Buffer): Buffer | undefined {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length <= MAX_ANSWER_BYTES) return undefined;
    if (this.isRequired) throw new UnreadableAnswerError(`The answer has more than ${MAX_ANSWER_BYTES} bytes.`);
    return Buffer.concat(this.chunks);
  }

  /** @returns the body for the client @throws UnreadableAnswerError */
  end(): Buffer {
    const body = Buffer.concat(this.chunks);
    if (body.length === 0) return body;
    const text = body.toString('utf8');
    const delivered = deliver(this.exchange, text.replace(/^\uFEFF/, ''));
    if (delivered === undefined && this.isRequired)
      throw new UnreadableAnswerError('The answer is not one message of JSON-RPC.');
    return typeof delivered === 'string' ? Buffer.from(delivered) : body;
  }
}

/** Shows the message of a JSON body, which has passed unread, to the observers that need it. */
export function showJson(exchange: Exchange, body: Buffer): void {
  if (exchange.readers?.needsMessage(body) === true) deliver(exchange, body.toString('utf8').replace(/^\uFEFF/, ''));
}

/** Reads the messages of an event stream. */
export class EventAnswer implements AnswerBody {
  private readonly splitter = new EventSplitter(MAX_ANSWER_BYTES, 'all');

  constructor(private readonly exchange: Exchange) {}

  /** @returns the bytes for the client @throws ResponseLimitError for an event that is too large */
  push(chunk: Buffer): Buffer {
    return Buffer.concat(this.splitter.push(chunk).map((event) => readEvent(event, this.exchange)));
  }

  /** @returns the last bytes for the client; the last event can lack its blank line */
  end(): Buffer {
    return this.splitter.hasRest ? Buffer.from(readEvent(this.splitter.takeRest(), this.exchange)) : Buffer.alloc(0);
  }
}

/**
 * Shows the message of an event to the passes.
 * @param show takes the message in the place of the readers of the exchange
 * @returns the event for the client
 */
export function readEvent(event: Uint8Array, exchange: Exchange, show?: MessageReader): Uint8Array {
  const { data, others } = parseEventFields(event);
  const text = data.map((line) => Buffer.from(line).toString('utf8')).join('\n');
  if (text === '') return event;
  const delivered = deliver(exchange, text, show) ?? replaceUnreadable(exchange);
  if (delivered === true) return event;
  const lines = others.map((line) => `${Buffer.from(line).toString('utf8')}\n`).join('');
  return Buffer.from(`${lines}data: ${delivered}\n\n`);
}

/** An event that passes must see and cannot read becomes an error, or an event without data. */
function replaceUnreadable({ readers, message }: Exchange): string | true {
  if (readers?.isRequired !== true) return true;
  if (message?.kind !== 'request') return '';
  const text = 'The proxy could not read the answer of the MCP server.';
  return JSON.stringify(createErrorResponse(message.message.id, ErrorCode.internalError, text));
}

/** @returns true for an unchanged message, the changed one, or undefined for an unreadable one */
function deliver(exchange: Exchange, text: string, show?: MessageReader): string | true | undefined {
  // Another reader than those of the exchange can be a required one.
  const message = read(text, show !== undefined || exchange.readers?.isRequired === true);
  if (message === undefined) return undefined;
  const delivered = show === undefined ? exchange.deliver(message) : show(message);
  return delivered === message || JSON.stringify(delivered);
}

/** Required readers can replace a message, whose numbers must then keep their text. */
function read(text: string, isRequired: boolean): RpcMessage | undefined {
  try {
    const result = isRequired ? readValue(parseExactly(text)) : readMessage(text);
    return result.kind === 'invalid' ? undefined : result.message;
  } catch {
    return undefined;
  }
}
