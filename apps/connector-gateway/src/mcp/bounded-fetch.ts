/** An upstream sent more than a gateway is willing to hold. */
export class UpstreamTooLargeError extends Error {
  override readonly name = 'UpstreamTooLargeError';
  constructor(maxBytes: number) {
    super(`the upstream sent more than ${maxBytes} bytes at once`);
  }
}

/** A fetch as clients of upstreams use it. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Bounds what an upstream can make the gateway hold. A plain answer is cut off at `maxBytes` after decompression; an event stream may go on for
 * ever, but none of its events may be larger.
 */
export function boundedFetch(inner: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.body === null) return response;
    const events = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = response.body.pipeThrough(events ? eventGuard(maxBytes) : sizeGuard(maxBytes));
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
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
