import type { Socket } from 'node:net';

/**
 * The part of a request that reports a disconnected client. The request itself emits `close` when
 * its body is read.
 */
export interface ClientConnection {
  raw: { socket: Pick<Socket, 'once' | 'off' | 'destroyed'> };
}

/** Runs work that may wait. Its signal aborts when the client disconnects. */
export async function runWhileConnected<T>(
  request: ClientConnection,
  work: (disconnected: AbortSignal) => Promise<T>,
): Promise<T> {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort();
  // The client may have disconnected while the guard ran.
  if (request.raw.socket.destroyed) abort();
  request.raw.socket.once('close', abort);
  try {
    return await work(disconnected.signal);
  } finally {
    request.raw.socket.off('close', abort);
  }
}
