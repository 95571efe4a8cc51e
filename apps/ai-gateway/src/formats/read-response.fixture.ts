import type { ModelRequest, ReceivedRequest } from './model-request.ts';
import type { ModelOperation } from './operation.ts';
import type { ResponseReport } from './response-reader.ts';

/** Makes a received request from a body. */
export function createReceived(body: unknown, query = ''): ReceivedRequest {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { bytes, body: JSON.parse(bytes.toString()) as ReceivedRequest['body'], query: new URLSearchParams(query) };
}

/** The bytes that a client received, and the report of the reader. */
export interface ReadResponse {
  readonly text: string;
  readonly report: ResponseReport;
}

/** Passes a response through the reader of an operation in chunks of the given sizes, repeated. */
export function readResponse(
  operation: Pick<ModelOperation, 'createReader'>,
  request: ModelRequest,
  response: Uint8Array,
  sizes: readonly number[] = [response.length],
): ReadResponse {
  const reader = operation.createReader(request);
  const received: Uint8Array[] = [];
  for (let [at, turn] = [0, 0]; at < response.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    const passed = reader.push(response.subarray(at, at + size));
    if (passed !== undefined) received.push(passed);
    at += size;
  }
  const last = reader.end();
  return { text: Buffer.concat(last === undefined ? received : [...received, last]).toString(), report: reader.report };
}
