import { nextTurn } from '@gatehouse/json-limits/event-loop';
import { judgeInTime } from './answer-judge.ts';
import { AnswerLimitError, type AnswerLimits } from './answer-limits.ts';
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
 * Wraps a fetch so that an MCP client can parse its answers in bounded time. A JSON answer is
 * judged as a whole, an event stream event by event.
 * @param onExcess called when an event stream ends because of a limit; a JSON answer rejects the
 * fetch
 * @throws AnswerLimitError
 */
export function judgedFetch(inner: Fetch, limits: AnswerLimits, onExcess?: (error: AnswerLimitError) => void): Fetch {
  return async (input, init) => {
    const answer = await inner(input, init);
    if (answer.body === null) return answer;
    const type = answer.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (answer.ok && type === EVENT_STREAM)
      return withBody(answer, answer.body.pipeThrough(eventJudge(limits, onExcess)));
    if (!answer.ok || type !== 'application/json') return withBody(answer, await firstBytes(answer.body));
    const verdict = await judgeInTime(await allBytes(answer.body, limits.receivedBytes), 'message', limits);
    if ('excess' in verdict) throw new AnswerLimitError(verdict.excess);
    return withBody(answer, verdict.bytes);
  };
}

function withBody({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array> | Uint8Array): Response {
  const own = new Headers(headers);
  own.delete('content-length');
  return new Response(body as ConstructorParameters<typeof Response>[0], { status, statusText, headers: own });
}

async function allBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new AnswerLimitError(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return whole(chunks, length);
}

async function firstBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    const piece = chunk.subarray(0, MAX_ERROR_BYTES - length);
    chunks.push(piece);
    length += piece.length;
    if (length === MAX_ERROR_BYTES) break;
  }
  return whole(chunks, length);
}

/** Copies the chunks into one buffer, which can be transferred to another thread. */
function whole(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function eventJudge(
  limits: AnswerLimits,
  onExcess: ((error: AnswerLimitError) => void) | undefined,
): TransformStream<Uint8Array, Uint8Array> {
  const splitter = new EventSplitter(limits.receivedBytes);
  let events = 0;
  let busyMs = 0;
  const judged = async (event: Uint8Array): Promise<Uint8Array> => {
    const verdict = await judgeInTime(event, 'event', limits);
    if ('excess' in verdict) throw new AnswerLimitError(verdict.excess);
    return verdict.bytes;
  };
  return new TransformStream({
    transform: async (chunk, controller) => {
      try {
        let start = performance.now();
        for (const event of splitter.push(chunk)) {
          controller.enqueue(await judged(event));
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
        if (error instanceof AnswerLimitError) onExcess?.(error);
        throw error;
      }
    },
  });
}
