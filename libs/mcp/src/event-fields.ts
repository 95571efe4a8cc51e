import { LineEndFinder } from './line-ends.ts';

/** The fields of one event of a stream (WHATWG HTML, section 9.2.6). */
export interface EventFields {
  /** The lines of the data, without `data:`. */
  readonly data: Uint8Array[];
  /** All other lines. */
  readonly others: Uint8Array[];
  /** The value of `event`, cut after 64 bytes; empty when absent. */
  readonly name: string;
}

/** A text without control characters, which a header cannot contain. */
const PRINTABLE = /^\P{Cc}*$/u;
/** Maximum length of an id, which goes into a header, and of a number of milliseconds. */
const MAX_ID_BYTES = 4 * 1024;

/** Splits the bytes of one event, with its line ends, into its fields. */
export function parseEventFields(bytes: Uint8Array): EventFields {
  const data: Uint8Array[] = [];
  const others: Uint8Array[] = [];
  let name = '';
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const lineEnd = new LineEndFinder(bytes);
  while (start <= bytes.length) {
    const end = lineEnd.findFrom(start);
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    start = end + 1;
    if (line.length === 0) continue;
    const field = line.subarray(0, 6).toString('latin1');
    if (field.startsWith('data:')) data.push(line.subarray(field === 'data: ' ? 6 : 5));
    else if (line.length === 4 && field === 'data') data.push(line.subarray(4));
    else {
      if (field === 'event:') name = line.subarray(6, 70).toString('latin1').replace(/^ /, '');
      others.push(line);
    }
  }
  return { data, others, name };
}

/**
 * Finds the fields that control a reconnection: `id`, empty when the server resets it, and `retry`
 * in milliseconds. Invalid values are ignored, as the standard requires.
 */
export function readReconnectionFields(others: readonly Uint8Array[]): { id?: string; retryMs?: number } {
  const found: { id?: string; retryMs?: number } = {};
  for (const line of others) {
    if (line.length > MAX_ID_BYTES) continue;
    const [, field, value = ''] = /^(id|retry)(?:: ?(.*))?$/s.exec(Buffer.from(line).toString('utf8')) ?? [];
    // An id becomes the value of a header.
    if (field === 'id' && PRINTABLE.test(value)) found.id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) found.retryMs = Number(value);
  }
  return found;
}
