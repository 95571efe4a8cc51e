import type { Log } from '../telemetry/log.ts';

const PARENT_POLL_MS = 250;
/**
 * Read as early as can be: a parent that is killed while the service starts must be missed later.
 */
const parent = process.ppid;

/** How a process ends. */
export interface LifecycleOptions {
  log: Log;
  close: () => Promise<void>;
  /** End when the parent process is gone. */
  withParent: boolean;
}

/**
 * Exit 0 on SIGTERM and SIGINT while a service starts: nobody was promised anything yet, and what a
 * migration had begun Postgres undoes.
 * @returns ends that
 */
export function exitOnSignal(): () => void {
  const exit = () => process.exit(0);
  process.on('SIGTERM', exit).on('SIGINT', exit);
  return () => process.off('SIGTERM', exit).off('SIGINT', exit);
}

/**
 * Ends the process in order on SIGTERM and SIGINT, and with its parent when asked: exit 0 after a
 * clean close, 1 after a failed one, at once on a second signal.
 */
export function closeOnSignal({ log, close, withParent }: LifecycleOptions): void {
  let ending = false;
  const end = (reason: string) => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ reason }, 'shutting down');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  if (!withParent) return;
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    if (!ending) end('the parent process is gone');
  }, PARENT_POLL_MS);
  poll.unref();
}
