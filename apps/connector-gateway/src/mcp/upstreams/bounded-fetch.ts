import { ResponseLimitError, type ResponseLimits } from '@gatehouse/mcp/response-limits';
import { type Fetch, createCheckedFetch } from '@gatehouse/mcp/checked-fetch';
import { AsyncLocalStorage } from 'node:async_hooks';

export type { Fetch };

/** Limits for all responses of one exchange together: received bytes and parsed bytes. */
export interface ExchangeBounds {
  receivedBytes: number;
  parsedBytes: number;
  /** Receives the counts. */
  seen?: { receivedBytes: number; parsedBytes: number };
}

/**
 * One operation on an upstream with all its HTTP requests: pages of a list, the stream of the
 * response, reconnections.
 */
interface Exchange {
  ended: AbortSignal;
  bounds: ExchangeBounds;
  seen: { receivedBytes: number; parsedBytes: number };
  /**
   * Ends the exchange with this error. A client whose stream broke would wait for another stream.
   */
  fail: (error: ResponseLimitError) => void;
}

const exchanges = new AsyncLocalStorage<Exchange | undefined>();

/** Time for which requests may outlive their exchange, so that a cancellation is still sent. */
const GRACE_MS = 1_000;

/**
 * Runs one exchange. Its remaining requests are aborted when it ends, so that an upstream cannot
 * keep an unused stream open.
 * @throws ResponseLimitError when a response is beyond the limits
 */
export async function runInExchange<T>(bounds: ExchangeBounds, work: () => Promise<T>): Promise<T> {
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

/** Runs work that outlives the exchange in which it starts. */
export const runOutsideExchange = <T>(work: () => T): T => exchanges.run(undefined, work);

/**
 * Limits the data of an upstream that the gateway holds and parses: each plain response, each event
 * of a stream, and all responses of an exchange together. An event stream may last as long as its
 * exchange.
 */
export function createBoundedFetch(inner: Fetch, limits: ResponseLimits): Fetch {
  return async (input, init) => {
    const exchange = exchanges.getStore();
    if (exchange === undefined) return createCheckedFetch(inner, limits)(input, init);
    const received: Fetch = async (url, options) => {
      const signal = options?.signal ? AbortSignal.any([options.signal, exchange.ended]) : exchange.ended;
      return countBytes(await inner(url, { ...options, signal }), exchange, 'receivedBytes');
    };
    return countBytes(await createCheckedFetch(received, limits, exchange.fail)(input, init), exchange, 'parsedBytes');
  };
}

function countBytes(
  response: Response,
  { bounds, seen, fail }: Exchange,
  kind: 'receivedBytes' | 'parsedBytes',
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null || bounds[kind] === Infinity) return response;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen[kind] += chunk.byteLength;
      if (seen[kind] > bounds[kind]) {
        const error = new ResponseLimitError(`more than ${bounds[kind]} bytes on all pages together`);
        fail(error);
        throw error;
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}
