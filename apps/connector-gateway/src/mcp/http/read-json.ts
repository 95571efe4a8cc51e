import type { IncomingMessage, ServerResponse } from 'node:http';
import { createErrorResponse, type RequestId } from '@gatehouse/mcp/errors';
import { nextTurn } from '@gatehouse/json-limits/event-loop';
import { readChunks } from '@gatehouse/service-kit/read-chunks';
import { JsonCounter, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import type { RequestBytes } from './bytes-in-flight.ts';
import { HttpRefusalError } from './http-refusal.ts';
import type { Limits } from '../ports/limits.ts';

/** Sends a refusal. @param id of the request; undefined for a message without a valid id */
export function sendRefusal(
  response: ServerResponse,
  { status, rpcCode, message, headers, data }: HttpRefusalError,
  id?: RequestId,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(createErrorResponse(id, rpcCode, message, data));
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }).end(body);
}

/** The bounds of a body. */
export type BodyLimits = Pick<Limits, 'requestBytes' | 'json'>;

/** A body that was read. */
export interface JsonBody {
  value: unknown;
  /** Its length. */
  bytes: number;
  /** Its values: objects, lists and scalars. */
  nodes: number;
}

/**
 * Reads a posted JSON body once; the decision and the forwarded request use this one parse. The
 * values are counted as the bytes arrive, so a body above the limits is never parsed.
 * @param held takes the bytes as they arrive
 * @throws HttpRefusalError 413 beyond the limits, 415 for another content type, 400 for a text that
 * is not UTF-8 JSON, 429 when the user holds too many bytes
 */
export async function readJson(request: IncomingMessage, limits: BodyLimits, held: RequestBytes): Promise<JsonBody> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new HttpRefusalError(415, -32600, 'the body must be application/json');
  if (request.headers['content-encoding'] !== undefined)
    throw new HttpRefusalError(415, -32600, 'encoded bodies are not supported: send plain JSON');
  const { requestBytes, json } = limits;
  if (Number(request.headers['content-length']) > requestBytes) throw createTooLongRefusal(requestBytes);
  const counter = new JsonCounter(json);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let refusal: HttpRefusalError | undefined;
  await readChunks(request, (chunk) => {
    bytes += chunk.byteLength;
    if (bytes > requestBytes) throw createTooLongRefusal(requestBytes);
    // A client reads the response only after it has sent the body. So a refused body is read and
    // dropped.
    if (refusal !== undefined) return;
    refusal = takeChunk(chunk, counter, json, held);
    chunks.push(chunk);
  });
  if (refusal !== undefined) throw refusal;
  const value = bytes < LARGE_BYTES ? parseBody(chunks) : await parseLargeBody(chunks);
  return { value, bytes, nodes: counter.counts.nodes };
}

/** Counts a part of a body. @returns the refusal of a body beyond a limit */
function takeChunk(
  chunk: Buffer,
  counter: JsonCounter,
  limits: JsonLimits,
  held: RequestBytes,
): HttpRefusalError | undefined {
  try {
    held.reserve(chunk.byteLength);
  } catch (error) {
    if (error instanceof HttpRefusalError) return error;
    throw error;
  }
  const exceeded = counter.push(chunk);
  return (
    exceeded && createTooLargeRefusal(`the body must not ${LIMIT_MESSAGES[exceeded](limits[exceeded] ?? Infinity)}`)
  );
}

const createTooLargeRefusal = (message: string): HttpRefusalError =>
  new HttpRefusalError(413, -32600, message, { connection: 'close' });

const createTooLongRefusal = (bytes: number): HttpRefusalError =>
  createTooLargeRefusal(`the body must not be larger than ${bytes} bytes`);

/** A body of this size is parsed in several turns of the event loop. */
const LARGE_BYTES = 256 * 1024;

async function parseLargeBody(chunks: readonly Buffer[]): Promise<unknown> {
  try {
    const whole = Buffer.concat(chunks);
    await nextTurn();
    const text = utf8.decode(whole);
    await nextTurn();
    const value: unknown = JSON.parse(text);
    await nextTurn();
    return value;
  } catch {
    throw createNoJsonRefusal();
  }
}

function parseBody(chunks: readonly Buffer[]): unknown {
  try {
    const [only] = chunks;
    return JSON.parse(utf8.decode(chunks.length === 1 ? only : Buffer.concat(chunks))) as unknown;
  } catch {
    throw createNoJsonRefusal();
  }
}

const createNoJsonRefusal = (): HttpRefusalError => new HttpRefusalError(400, -32700, 'the body is not JSON');

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const LIMIT_MESSAGES: Readonly<Record<keyof JsonLimits, (limit: number) => string>> = {
  nodes: (limit) => `hold more than ${limit} values`,
  keys: (limit) => `hold more than ${limit} keys`,
  depth: (limit) => `be nested deeper than ${limit} levels`,
  members: (limit) => `hold an object of more than ${limit} members`,
};
