import { AsyncLocalStorage } from 'node:async_hooks';

/** An upstream sent more than a gateway is willing to hold. */
export class UpstreamTooLargeError extends Error {
  override readonly name = 'UpstreamTooLargeError';
  constructor(maxBytes: number) {
    super(`the upstream sent more than ${maxBytes} bytes at once`);
  }
}

/** A fetch as clients of upstreams use it. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** One question to an upstream with all the requests that it takes: pages of a list, the answer's stream, attempts to pick that up again. */
interface Exchange {
  ended: AbortSignal;
  /** What the answers together may still hold. */
  bytesLeft: number;
  maxBytes: number;
}

const exchanges = new AsyncLocalStorage<Exchange | undefined>();

/** How long requests of an exchange may outlive it, so that a cancellation still gets out. */
const GRACE_MS = 1_000;

/**
 * Runs one exchange. Whatever it leaves behind ends with it: an upstream cannot keep the stream of an answer open that nobody waits for any longer.
 * @param maxBytes of all its answers together
 */
export async function inExchange<T>(maxBytes: number, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  try {
    return await exchanges.run({ ended: ended.signal, bytesLeft: maxBytes, maxBytes }, work);
  } finally {
    setTimeout(() => ended.abort(), GRACE_MS).unref();
  }
}

/** Runs what outlives the exchange in which it happens to begin. */
export const outsideExchange = <T>(work: () => T): T => exchanges.run(undefined, work);

/**
 * Bounds what an upstream can make the gateway hold. A plain answer is cut off at `maxBytes` after decompression; an event stream may go on as long
 * as its exchange does, but none of its events may be larger.
 */
export function boundedFetch(inner: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const exchange = exchanges.getStore();
    const response = await inner(input, exchange === undefined ? init : { ...init, signal: signalOf(exchange, init) });
    if (response.body === null) return response;
    const events = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const guarded = response.body.pipeThrough(events ? eventGuard(maxBytes) : sizeGuard(maxBytes));
    const body = exchange === undefined ? guarded : guarded.pipeThrough(budgetGuard(exchange));
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

const signalOf = ({ ended }: Exchange, init: RequestInit | undefined): AbortSignal =>
  init?.signal ? AbortSignal.any([init.signal, ended]) : ended;

function budgetGuard(exchange: Exchange): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      exchange.bytesLeft -= chunk.byteLength;
      if (exchange.bytesLeft < 0) throw new UpstreamTooLargeError(exchange.maxBytes);
      controller.enqueue(chunk);
    },
  });
}

function sizeGuard(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > maxBytes) throw new UpstreamTooLargeError(maxBytes);
      controller.enqueue(chunk);
    },
  });
}

const LF = 0x0a;
const CR = 0x0d;

function eventGuard(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let pending = 0;
  let lineIsEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        pending += 1;
        if (byte === LF) {
          if (lineIsEmpty) pending = 0;
          lineIsEmpty = true;
        } else if (byte !== CR) lineIsEmpty = false;
      }
      if (pending > maxBytes) throw new UpstreamTooLargeError(maxBytes);
      controller.enqueue(chunk);
    },
  });
}
