import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError } from '../../errors/cli-error.ts';
import { HomeInUseError, launchPlatform, type LaunchedPlatform, type PlatformLaunch } from './launch-platform.ts';
import { findSupervisor, type PlatformFile, readRunningPlatform } from './running-platform.ts';

/** A platform that is ready, and whether this command started it. */
export interface ReadyPlatform {
  readonly platform: PlatformFile;
  /** Undefined when the platform ran already. */
  readonly launched: LaunchedPlatform | undefined;
}

const POLL_MS = 100;
/** The longest wait for a start or a stop by another command, in milliseconds. */
const OTHER_TIMEOUT_MS = 120_000;

/**
 * Starts the platform of a home, or finds the running one. When another command starts or stops it,
 * this one waits for the result.
 * @throws CliError with the reason
 */
export async function startPlatform(launch: PlatformLaunch): Promise<ReadyPlatform> {
  for (;;) {
    const running = await waitForOther(launch);
    if (running) return { platform: running, launched: undefined };
    try {
      const launched = await launchPlatform(launch);
      return { platform: launched.platform, launched };
    } catch (error) {
      // Another command took the home between the check and the start.
      if (!(error instanceof HomeInUseError) || findSupervisor(launch.home) === undefined) throw error;
    }
  }
}

/**
 * Waits while another process starts or stops the platform.
 * @returns the running platform
 * @throws ConflictError after two minutes
 */
async function waitForOther({ home, progress, abort }: PlatformLaunch): Promise<PlatformFile | undefined> {
  const deadline = performance.now() + OTHER_TIMEOUT_MS;
  for (;;) {
    const running = readRunningPlatform(home);
    const supervisor = findSupervisor(home);
    if (running || supervisor === undefined) return running;
    if (performance.now() > deadline) {
      throw new ConflictError(`The platform of ${home} (process ${supervisor.pid}) neither becomes ready nor ends`, [
        'gatehouse down   stops it',
      ]);
    }
    progress('waiting for another command that starts or stops the platform');
    await sleep(POLL_MS);
    abort.throwIfAborted();
  }
}
