/** Runs `then` when the client disconnects, and at once if it has disconnected before. */
export function onDisconnect(gone: AbortSignal, then: () => void): void {
  if (gone.aborted) then();
  else gone.addEventListener('abort', then, { once: true });
}
