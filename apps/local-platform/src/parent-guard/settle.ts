/** Milliseconds between two looks at how busy the process is. */
const INTERVAL = 2000;
/** Share of one core below which a process counts as idle. */
const IDLE = 0.05;

/**
 * Collects garbage once, thoroughly, as soon as the process is idle after its start. Loading a
 * service's modules leaves a heap that is a quarter larger than what the service keeps, and V8
 * gives that back only after much more work than an idle service ever does.
 */
export function collectGarbageWhenIdle(collect = globalThis.gc): void {
  if (!collect) return;
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    if ((user + system) / 1000 / INTERVAL > IDLE) return;
    clearInterval(timer);
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, INTERVAL);
  timer.unref();
}
