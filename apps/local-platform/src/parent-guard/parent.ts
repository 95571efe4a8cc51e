/** Milliseconds between two checks of the parent process. */
const POLL_INTERVAL_MS = 250;

/**
 * Calls `onEnd` once when the process with this pid is no longer the parent. The parent passes its
 * own pid, so that its end before the start of this process is detected too.
 */
export function watchParent(pid: number, onEnd: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === pid) return;
    clearInterval(timer);
    onEnd();
  }, POLL_INTERVAL_MS);
  timer.unref();
}
