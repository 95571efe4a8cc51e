/**
 * Runs `then` once the client is gone, also when it is gone already: an abort signal tells only
 * those who listened before.
 */
export function onceGone(gone: AbortSignal, then: () => void): void {
  if (gone.aborted) then();
  else gone.addEventListener('abort', then, { once: true });
}
