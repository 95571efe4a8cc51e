/** Reads newline-delimited JSON from the standard output of a process and skips other lines. */
import type { Readable } from 'node:stream';
import { readMessage } from '@gatehouse/mcp/json-rpc';
import type { ReadMessage } from '@gatehouse/mcp/json-rpc';

/** Longer lines are skipped, so that a line without an end cannot fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Receives the lines of the output, in order. */
export interface LineEvents {
  onMessage(onMessage: Exclude<ReadMessage, { kind: 'invalid' }>): void;
  /** Receives a line that contains no message, shortened for the log. */
  onInvalidLine(text: string): void;
  /** Called once, when the output has ended or failed. */
  onEnd(cause: unknown): void;
}

/** Reads until the output ends. */
export function readLines(output: Readable, events: LineEvents): void {
  let parts: Buffer[] = [];
  let length = 0;
  let over = false;
  const end = (cause: unknown) => {
    if (over) return;
    over = true;
    events.onEnd(cause);
  };
  output.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, start)) {
      const last = chunk.subarray(start, at);
      start = at + 1;
      if (length > MAX_LINE_BYTES) events.onInvalidLine('a line of more than 64 MiB');
      else readLine(parts.length === 0 ? last : Buffer.concat([...parts, last]), events);
      parts = [];
      length = 0;
    }
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  output.once('end', () => end(undefined));
  output.once('close', () => end(undefined));
  output.once('error', end);
}

function readLine(bytes: Buffer, events: LineEvents): void {
  const line = bytes.toString('utf8').trim();
  if (line === '') return;
  let read = line.startsWith('{') ? readMessage(line) : undefined;
  if (read === undefined || read.kind === 'invalid') {
    // Loggers on the same output add a prefix or colors around the message.
    const from = line.indexOf('{');
    const to = line.lastIndexOf('}');
    if (from !== -1 && to > from) read = readMessage(line.slice(from, to + 1));
  }
  if (read === undefined || read.kind === 'invalid') events.onInvalidLine(line.slice(0, 200));
  else events.onMessage(read);
}
