import type { Log } from '../telemetry/log.ts';

const PARENT_POLL_MS = 250;
/**
 * Read when the module loads, so that the poll also notices a parent that dies during the start.
 */
const parent = process.ppid;

/** Options of the orderly end of a process. */
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
