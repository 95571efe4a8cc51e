import type { Log } from '../telemetry/log.ts';

const PARENT_POLL_MS = 250;
/** Read at the import, so that the poll also detects a parent that ends during the start. */
const parent = process.ppid;

/** Options of closeOnSignal. */
export interface LifecycleOptions {
  log: Log;
  close: () => Promise<void>;
  /** Whether the process ends when its parent process is gone. */
  withParent: boolean;
}

/**
 * Makes SIGTERM and SIGINT exit with 0 while a service starts. The service has no caller yet, and
 * Postgres rolls an open migration back.
 * @returns a function that removes the handlers
 */
export function exitOnSignal(): () => void {
  const exit = () => process.exit(0);
  process.on('SIGTERM', exit).on('SIGINT', exit);
  return () => process.off('SIGTERM', exit).off('SIGINT', exit);
}

/**
 * Closes the service and ends the process after SIGTERM or SIGINT, and optionally after the end of
 * the parent process. The exit code is 0 after a successful close, else 1. A second signal ends the
 * process at once.
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
