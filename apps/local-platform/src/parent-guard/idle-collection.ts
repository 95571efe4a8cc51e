/** Milliseconds between two measurements of processor time. */
const INTERVAL_MS = 2000;
/** Share of one core below which a process is idle. */
const IDLE_SHARE = 0.05;

/**
 * Runs one full garbage collection when the process is idle after its start. The load of modules
 * leaves a heap that is a quarter too large, and V8 shrinks it only after more work than an idle
 * service does.
 */
export function collectGarbageWhenIdle(collect = globalThis.gc): void {
  if (!collect) return;
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    if ((user + system) / 1000 / INTERVAL_MS > IDLE_SHARE) return;
    clearInterval(timer);
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, INTERVAL_MS);
  timer.unref();
}
