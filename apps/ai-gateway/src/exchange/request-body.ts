import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import { DEFAULT_JSON_LIMITS, JsonCounter, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { ByteCollector } from '@gatehouse/mcp/bytes';
import { readChunks } from '@gatehouse/service-kit/read-chunks';
import type { IncomingMessage } from 'node:http';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import type { BodyMemory } from './request-memory.ts';

/** A body that was read, and its parsed JSON. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly body: JsonObject;
}

/** The most parts of a body. Each costs time, even one of a single byte. */
const MAX_PARTS = 100_000;

const decoder = new TextDecoder('utf-8', { fatal: true });
const EXPLANATIONS: Readonly<Record<keyof JsonLimits, string>> = {
  nodes: 'values',
  keys: 'members of objects',
  depth: 'levels of nested objects and lists',
  members: 'members of one object',
};

/**
 * Reads and parses the JSON object of a request. Its values are counted while the bytes arrive, so
 * a body above a limit is never parsed.
 * @param maxBytes the largest size
 * @param memory counts the bytes of all bodies
 * @throws ModelCallError `invalid_request`, `request_too_large`, `rate_limited` or `unavailable`
 */
export async function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  memory: Pick<BodyMemory, 'take'>,
): Promise<RequestBody> {
  requireJson(request);
  if (Number(request.headers['content-length']) > maxBytes) throw createTooLargeError(maxBytes);
  const counter = new JsonCounter();
  const collected = new ByteCollector();
  let parts = 0;
  await readChunks(request, (chunk) => {
    parts += 1;
    if (parts > MAX_PARTS) throw new ModelCallError('request_too_large', `The body has more than ${MAX_PARTS} parts.`);
    if (collected.length + chunk.length > maxBytes) throw createTooLargeError(maxBytes);
    memory.take(chunk.length);
    const exceeded = counter.push(chunk);
    if (exceeded !== undefined) throw createTooManyError(exceeded);
    collected.add(chunk);
  });
  const bytes = collected.take();
  return { bytes, body: parseObject(bytes) };
}

/** Clients of the vendors send JSON. A type that is absent or has parameters is accepted. */
function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json')
    throw new ModelCallError('invalid_request', `The content type ${type} is not supported. Send application/json.`);
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new ModelCallError('invalid_request', 'Compressed bodies are not supported. Send plain JSON.');
}

function parseObject(bytes: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw new ModelCallError('invalid_request', 'The body is not valid JSON in UTF-8.', { cause });
  }
  if (isJsonObject(value)) return value;
  throw new ModelCallError('invalid_request', 'The body must be a JSON object.');
}

const createTooLargeError = (maxBytes: number) =>
  new ModelCallError('request_too_large', `The body has more than ${maxBytes} bytes.`);

const createTooManyError = (limit: keyof JsonLimits) =>
  new ModelCallError(
    'request_too_large',
    `The body has more than ${DEFAULT_JSON_LIMITS[limit] ?? ''} ${EXPLANATIONS[limit]}.`,
  );
