import { AnswerLimitError, type AnswerLimits } from '@gatehouse/mcp/answer-limits';
import { type Fetch, judgedFetch } from '@gatehouse/mcp/judged-fetch';
import { AsyncLocalStorage } from 'node:async_hooks';

export type { Fetch };

/** The bytes of all answers of one exchange together: as they arrive, and as they are parsed. */
export interface ExchangeBounds {
  receivedBytes: number;
  parsedBytes: number;
  /** Counts what came, where the caller wants to know. */
  seen?: { receivedBytes: number; parsedBytes: number };
}

/**
 * One question to an upstream with all the requests that it takes: pages of a list, the answer's
 * stream, attempts to pick that up again.
 */
interface Exchange {
  ended: AbortSignal;
  bounds: ExchangeBounds;
  seen: { receivedBytes: number; parsedBytes: number };
  /** Ends the question with this error: a client of a stream that broke would wait for another. */
  fail: (error: AnswerLimitError) => void;
}

const exchanges = new AsyncLocalStorage<Exchange | undefined>();

/** How long requests of an exchange may outlive it, so that a cancellation still gets out. */
const GRACE_MS = 1_000;

/**
 * Runs one exchange. Whatever it leaves behind ends with it: an upstream cannot keep the stream of
 * an answer open that nobody waits for any longer.
 * @throws AnswerLimitError when an answer is beyond the limits
 */
export async function inExchange<T>(bounds: ExchangeBounds, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const { seen = { receivedBytes: 0, parsedBytes: 0 } } = bounds;
  const exchange: Exchange = { ended: ended.signal, bounds, seen, fail };
  try {
    return await Promise.race([exchanges.run(exchange, work), failed]);
  } finally {
    setTimeout(() => ended.abort(), GRACE_MS).unref();
  }
}

/** Runs what outlives the exchange in which it happens to begin. */
export const outsideExchange = <T>(work: () => T): T => exchanges.run(undefined, work);

/**
 * Bounds what an upstream can make the gateway hold and parse: each plain answer, each event of a
 * stream, and all answers of an exchange together. An event stream may go on as long as its
 * exchange does.
 */
export function boundedFetch(inner: Fetch, limits: AnswerLimits): Fetch {
  return async (input, init) => {
    const exchange = exchanges.getStore();
    if (exchange === undefined) return judgedFetch(inner, limits)(input, init);
    const received: Fetch = async (url, options) => {
      const signal = options?.signal ? AbortSignal.any([options.signal, exchange.ended]) : exchange.ended;
      return counted(await inner(url, { ...options, signal }), exchange, 'receivedBytes');
    };
    return counted(await judgedFetch(received, limits, exchange.fail)(input, init), exchange, 'parsedBytes');
  };
}

function counted(answer: Response, { bounds, seen, fail }: Exchange, kind: 'receivedBytes' | 'parsedBytes'): Response {
  const { body, status, statusText, headers } = answer;
  if (body === null || bounds[kind] === Infinity) return answer;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen[kind] += chunk.byteLength;
      if (seen[kind] > bounds[kind]) {
        const error = new AnswerLimitError(`more than ${bounds[kind]} bytes on all pages together`);
        fail(error);
        throw error;
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}
