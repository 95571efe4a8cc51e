/** Calls `listener` when the client disconnects, or at once if it has disconnected before. */
export function onDisconnect(disconnected: AbortSignal, listener: () => void): void {
  if (disconnected.aborted) listener();
  else disconnected.addEventListener('abort', listener, { once: true });
}
