/** Milliseconds between two looks at the parent process. */
const POLL_INTERVAL_MS = 250;

/**
 * Calls `gone` once when the process with this pid is no longer the parent: it died, and the system
 * gave this process another parent. The expected pid comes from the parent itself, so a parent that
 * died before this process was up is noticed too.
 */
export function watchParent(pid: number, gone: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === pid) return;
    clearInterval(timer);
    gone();
  }, POLL_INTERVAL_MS);
  timer.unref();
}
