import { crc32 } from 'node:zlib';

/** Type of a header whose value is a text. */
const TEXT_TYPE = 7;

/** The parts of a frame that a test can falsify. */
interface FrameFaults {
  readonly length?: number;
  readonly headerLength?: number;
  readonly preludeChecksum?: number;
  readonly checksum?: number;
}

/**
 * Encodes a frame of an Amazon event stream (Smithy, Amazon Event Stream Specification). It shares
 * no code with the decoder of the gateway.
 */
export function encodeFrame(
  headers: Readonly<Record<string, string>> | Buffer,
  body: string | Buffer,
  faults: FrameFaults = {},
): Buffer {
  const encoded = Buffer.isBuffer(headers) ? headers : Buffer.concat(Object.entries(headers).map(encodeHeader));
  const payload = Buffer.from(body);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(faults.length ?? encoded.length + payload.length + 16, 0);
  prelude.writeUInt32BE(faults.headerLength ?? encoded.length, 4);
  const content = Buffer.concat([prelude, encodeNumber(faults.preludeChecksum ?? crc32(prelude)), encoded, payload]);
  return Buffer.concat([content, encodeNumber(faults.checksum ?? crc32(content))]);
}

function encodeHeader([name, value]: readonly [string, string]): Buffer {
  const text = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([TEXT_TYPE]), length, text]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a chunk of InvokeModelWithResponseStream. @param event the JSON of one event */
export const encodeChunk = (event: string, padding = 'abc'): Buffer =>
  encodeFrame(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ bytes: Buffer.from(event).toString('base64'), p: padding }),
  );

/** Encodes an exception in a stream. @param type such as `throttlingException` */
export const encodeException = (type: string, message: string): Buffer =>
  encodeFrame(
    { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' },
    JSON.stringify({ message }),
  );
