import type { Socket } from 'node:net';

/**
 * The part of a request that says when the client has gone. A Node request itself closes as soon as
 * it was read.
 */
export interface Hangup {
  raw: { socket: Pick<Socket, 'once' | 'off' | 'destroyed'> };
}

/** Runs work that may wait; its signal aborts when the client hangs up. */
export async function whileConnected<T>(request: Hangup, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  // The client may have gone while the guard decided.
  if (request.raw.socket.destroyed) leave();
  request.raw.socket.once('close', leave);
  try {
    return await work(gone.signal);
  } finally {
    request.raw.socket.off('close', leave);
  }
}
