import { JsonReader } from '@gatehouse/json-limits/json-reader';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { anthropicErrors } from '../../../formats/anthropic/errors.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import type { ModelRequest } from '../../../formats/model-request.ts';
import { parseJsonObject } from '../../../formats/readers/event-stream-reader.ts';
import type { BodyConverter } from '../converted-response.ts';
import { findStreamFailure } from './aws-failure.ts';
import { FrameSplitter } from './frame-splitter.ts';

type Message = ReturnType<EventStreamCodec['decode']>;

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text),
);
const END = Buffer.from('\n\n');
/** The types of events of the Messages API. A text with a line end would begin another field. */
const EVENT_NAME = /^[\w.-]{1,64}$/;

/**
 * Converts the response stream of InvokeModelWithResponseStream into the events of the Messages
 * API: each chunk holds one event in base64, which passes unchanged. An exception ends the stream
 * with an event `error`. Chunks without a type are ignored, as the SDKs do.
 */
export class MessageEvents implements BodyConverter {
  private readonly splitter = new FrameSplitter();
  /** Whether an exception has ended the stream. */
  private isOver = false;

  constructor(private readonly request: ModelRequest) {}

  push(chunk: Buffer, parts: Buffer[]): void {
    // Bytes after an exception do not belong to the answer.
    if (this.isOver) return;
    for (const frame of this.splitter.push(chunk)) {
      const message = codec.decode(frame);
      const failure = findFailure(message);
      if (failure === undefined) parts.push(...convertEvent(message));
      else {
        this.isOver = true;
        parts.push(Buffer.from(anthropicErrors.writeStreamError(failure, this.request)));
        return;
      }
    }
  }

  end(): void {
    if (!this.isOver && this.splitter.hasRest)
      throw new ModelCallError('provider_error', 'The provider ended its response early.');
  }
}

/**
 * Reads an exception of the model of the service, or an error that is not in it.
 * @returns undefined for an event
 * @throws ModelCallError `provider_error` for another type
 */
function findFailure({ headers, body }: Message): ModelCallError | undefined {
  switch (readHeader(headers, ':message-type')) {
    case 'event':
      return undefined;
    case 'exception':
      return createFailure(readHeader(headers, ':exception-type'), readMessage(body));
    case 'error':
      return createFailure(readHeader(headers, ':error-code'), readHeader(headers, ':error-message'));
    default:
      throw new ModelCallError('provider_error', 'The provider sent a frame of an unknown type.');
  }
}

const createFailure = (name: string, message: string): ModelCallError =>
  new ModelCallError(findStreamFailure(name), message || 'The provider ended its response early.');

const convertEvent = ({ headers, body }: Message): Buffer[] =>
  readHeader(headers, ':event-type') === 'chunk' ? convertChunk(body) : [];

const readHeader = (headers: Message['headers'], name: string): string => {
  const header = headers[name];
  return header?.type === 'string' ? header.value : '';
};

function readMessage(body: Uint8Array): string {
  const { message } = parseJsonObject(toBuffer(body).toString('utf8')) ?? {};
  return typeof message === 'string' ? message : '';
}

/** Converts a chunk `{"bytes": "<base64>", "p": "<padding>"}`. */
function convertChunk(body: Uint8Array): Buffer[] {
  const text = readTextMember(body, 'bytes');
  const event = Buffer.from(text ?? '', 'base64');
  const name = readTextMember(event, 'type');
  if (name === undefined || !EVENT_NAME.test(name)) return [];
  return [Buffer.from(`event: ${name}\ndata: `), removeLineEnds(event), END];
}

/**
 * Reads a text of a JSON object without parsing its other members.
 * @throws JsonSyntaxError, SyntaxError
 */
function readTextMember(bytes: Uint8Array, name: string): string | undefined {
  const reader = new JsonReader(bytes);
  let text: unknown;
  const members = reader.membersNamed([name]);
  while (members.next().done !== true) {
    const { start, end } = reader.skip();
    text ??= JSON.parse(toBuffer(bytes.subarray(start, end)).toString('utf8'));
  }
  reader.end();
  return typeof text === 'string' ? text : undefined;
}

/** Replaces the line ends between JSON tokens: an event has its data on one line. */
function removeLineEnds(json: Buffer): Buffer {
  for (const end of ['\n', '\r'])
    for (let at = json.indexOf(end); at !== -1; at = json.indexOf(end, at + 1)) json[at] = 0x20;
  return json;
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
