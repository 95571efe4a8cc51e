import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeeperThan } from './depth.ts';

/** A request that ends before it means anything, with its HTTP status and its JSON-RPC error. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** The refusal of a request beyond a limit that holds for one person (RFC 6585, section 4). */
export const tooMany = (message: string, retryAfterSeconds: number): HttpRefusal =>
  new HttpRefusal(429, 429, message, { 'retry-after': String(retryAfterSeconds) }, { retryAfterSeconds });

/** Sends a refusal. There is no request id to answer to: the message may not even have been read. */
export function sendRefusal(response: ServerResponse, { status, code, message, headers, data }: HttpRefusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message, ...(data && { data }) }, id: null });
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }).end(body);
}

/**
 * Reads a posted JSON body once. What is decided about a request and what is passed on both come from this one parse.
 * @throws HttpRefusal 413 over `maxBytes`, 415 for another content type, 400 for what is not UTF-8 JSON or nested too deeply
 */
export async function readJson(request: IncomingMessage, maxBytes: number, maxDepth: number): Promise<unknown> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new HttpRefusal(415, -32600, 'the body must be application/json');
  if (request.headers['content-encoding'] !== undefined)
    throw new HttpRefusal(415, -32600, 'encoded bodies are not taken');
  const tooLarge = new HttpRefusal(413, -32600, `the body must not be larger than ${maxBytes} bytes`, {
    connection: 'close',
  });
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new HttpRefusal(400, -32700, 'the body is not JSON');
  }
  if (isDeeperThan(body, maxDepth))
    throw new HttpRefusal(400, -32600, `the body must not be nested deeper than ${maxDepth} levels`);
  return body;
}

/** The request as the fetch API knows it, without its body: that was read already. `signal` fires when the client goes away. */
export function toWebRequest(request: IncomingMessage, url: URL, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token ends here. Nothing behind this line ever sees it.
    if (name === 'authorization' || name === 'cookie' || value === undefined) continue;
    for (const item of [value].flat()) headers.append(name, item);
  }
  return new Request(url, { method: request.method ?? 'GET', headers, signal });
}

/** Writes an answer, stream or not, as fast as the client takes it. When the client goes away the stream is cancelled at once. */
export async function sendResponse(response: ServerResponse, answer: Response, signal: AbortSignal): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let next = await reader.read(); !next.done && !signal.aborted; next = await reader.read()) {
      if (!response.write(next.value)) await drained(response, signal);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    response.end();
  }
}

/** How long a client may take to read what lies ready for it, before it is taken for dead. */
const STALLED_MS = 60_000;

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), STALLED_MS);
    const done = () => {
      clearTimeout(stalled);
      response.off('drain', done);
      response.off('close', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    if (signal.aborted || response.destroyed) {
      done();
      return;
    }
    response.once('drain', done);
    response.once('close', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
