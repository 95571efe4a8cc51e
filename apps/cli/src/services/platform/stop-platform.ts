import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, sendSignal } from '@gatehouse/workloads/state/process-identity';
import { findSupervisor } from './running-platform.ts';

/** Time in which the services must stop before the platform kills them. */
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/**
 * Stops the platform of a home and waits for its end.
 * @returns whether one ran
 */
export async function stopPlatform(home: string, abort: AbortSignal): Promise<boolean> {
  const supervisor = findSupervisor(home);
  if (supervisor === undefined) return false;
  sendSignal(supervisor, 'SIGTERM');
  let deadline = performance.now() + STOP_TIMEOUT_MS;
  while (isAlive(supervisor)) {
    if (performance.now() > deadline) {
      // A second signal makes the platform kill its services.
      sendSignal(supervisor, 'SIGTERM');
      deadline = Infinity;
    }
    await sleep(POLL_MS);
    abort.throwIfAborted();
  }
  return true;
}
