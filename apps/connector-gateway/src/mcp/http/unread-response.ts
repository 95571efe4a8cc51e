import type { ServerResponse } from 'node:http';
import type { RequestBytes } from './bytes-in-flight.ts';

/** Time for which a client may leave a response unread before the connection is closed. */
const STALL_TIMEOUT_MS = 60_000;

/**
 * Counts the bytes of a finished response that its client has not read yet, and closes the
 * connection of a client that reads nothing for a minute.
 */
export function watchUnreadResponse(response: ServerResponse, held: RequestBytes): void {
  let unread = response.writableLength;
  if (unread === 0 || response.destroyed) return;
  held.add(unread);
  const timer = setInterval(() => {
    if (response.writableLength >= unread) {
      response.destroy();
      return;
    }
    held.add(response.writableLength - unread);
    unread = response.writableLength;
  }, STALL_TIMEOUT_MS);
  response.once('close', () => clearInterval(timer));
}
