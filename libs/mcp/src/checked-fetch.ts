import { nextTurn } from '@gatehouse/json-limits/event-loop';
import { concatBytes } from './bytes.ts';
import { checkInTime } from './response-checker.ts';
import { ResponseLimitError, type ResponseLimits } from './response-limits.ts';
import { EventSplitter } from './event-splitter.ts';
import { EVENT_STREAM } from './event-stream.ts';

/** The fetch function of an MCP client. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Maximum body of an error or of another media type. Clients parse only a short error of these. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Events in one turn of the event loop. A client needs up to 0.25 ms for the smallest event. */
const EVENTS_PER_TURN = 16;
/** Maximum time of a stream in the event loop before other work has its turn. */
const BUSY_MS = 4;

/**
 * Wraps a fetch so that an MCP client can parse its responses in bounded time. A JSON response is
 * checked as a whole, an event stream event by event.
 * @param onExcess called when an event stream ends because of a limit; a JSON response rejects the
 * fetch
 * @throws ResponseLimitError
 */
export function createCheckedFetch(
  inner: Fetch,
  limits: ResponseLimits,
  onExcess?: (error: ResponseLimitError) => void,
): Fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.body === null) return response;
    const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (response.ok && type === EVENT_STREAM)
      return replaceBody(response, response.body.pipeThrough(createEventChecker(limits, onExcess)));
    if (!response.ok || type !== 'application/json') return replaceBody(response, await readFirstBytes(response.body));
    const verdict = await checkInTime(await readAllBytes(response.body, limits.receivedBytes), 'message', limits);
    if ('excess' in verdict) throw new ResponseLimitError(verdict.excess);
    return replaceBody(response, verdict.bytes);
  };
}

function replaceBody(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array> | Uint8Array,
): Response {
  const own = new Headers(headers);
  own.delete('content-length');
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, statusText, headers: own });
}

async function readAllBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new ResponseLimitError(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return concatBytes(chunks, length);
}

async function readFirstBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    const piece = chunk.subarray(0, MAX_ERROR_BYTES - length);
    chunks.push(piece);
    length += piece.length;
    if (length === MAX_ERROR_BYTES) break;
  }
  return concatBytes(chunks, length);
}

function createEventChecker(
  limits: ResponseLimits,
  onExcess: ((error: ResponseLimitError) => void) | undefined,
): TransformStream<Uint8Array, Uint8Array> {
  const splitter = new EventSplitter(limits.receivedBytes);
  let events = 0;
  let busyMs = 0;
  const checkOrReport = async (event: Uint8Array): Promise<Uint8Array> => {
    const verdict = await checkInTime(event, 'event', limits);
    if ('excess' in verdict) throw new ResponseLimitError(verdict.excess);
    return verdict.bytes;
  };
  return new TransformStream({
    transform: async (chunk, controller) => {
      try {
        let start = performance.now();
        for (const event of splitter.push(chunk)) {
          controller.enqueue(await checkOrReport(event));
          events += 1;
          if (events % EVENTS_PER_TURN !== 0 && busyMs + performance.now() - start < BUSY_MS) continue;
          await nextTurn();
          busyMs = 0;
          start = performance.now();
        }
        busyMs += performance.now() - start;
        if (busyMs < BUSY_MS) return;
        await nextTurn();
        busyMs = 0;
      } catch (error) {
        if (error instanceof ResponseLimitError) onExcess?.(error);
        throw error;
      }
    },
  });
}
