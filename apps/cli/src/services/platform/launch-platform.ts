import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '@gatehouse/local-files/private-folder';
import { type CliErrorCode, CommandFailedError, ConflictError, UsageError } from '../../errors/cli-error.ts';
import type { PlatformFile } from './running-platform.ts';

/** How a platform is started. */
export interface PlatformLaunch {
  readonly program: string;
  readonly home: string;
  readonly demo: boolean;
  /** The environment of the platform. */
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: (text: string) => void;
  readonly abort: AbortSignal;
}

/** A started platform. */
export interface LaunchedPlatform {
  readonly platform: PlatformFile;
  /** Lets the platform go on when this process ends. Without it, the platform stops then. */
  readonly release: () => void;
  /** Stops the platform in order; a second call kills its services. */
  readonly stop: () => void;
  /** Resolves with the exit code of the platform. */
  readonly ended: Promise<number>;
}

/** Another process starts, runs or stops the platform of this home. */
export class HomeInUseError extends ConflictError {}

/** A message of the platform; see apps/local-platform/src/launcher.ts. */
type PlatformMessage =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'ready'; readonly platform: PlatformFile }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The supervisor serves few requests: it takes little memory and does without compilers. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size', '--no-opt', '--no-maglev', '--no-sparkplug'];

/** Returns the log of the platform itself. Its services have logs of their own beside it. */
export const getPlatformLog = (home: string): string => join(home, 'logs', 'platform.log');

/**
 * Starts the platform in a session of its own, and waits until it is ready. The end of this process
 * stops the platform, also kill -9, until it is released.
 * @throws CliError with the reason; the platform has ended then
 */
export async function launchPlatform(launch: PlatformLaunch): Promise<LaunchedPlatform> {
  const child = start(launch);
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(127));
  });
  const stop = (): void => void child.kill('SIGTERM');
  try {
    const platform = await waitUntilReady(child, launch, ended);
    return {
      platform,
      ended,
      stop,
      release: () => {
        // The platform disconnects when it has the message.
        child.send({ kind: 'release' });
        child.unref();
      },
    };
  } catch (error) {
    stop();
    await ended;
    throw error;
  }
}

function start({ program, home, demo, environment }: PlatformLaunch): ChildProcess {
  makePrivateFolder(join(home, 'logs'));
  const log = openSync(getPlatformLog(home), 'a', 0o600);
  try {
    return spawn(process.execPath, [...NODE_FLAGS, program, ...(demo ? ['--demo'] : [])], {
      cwd: home,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
      env: { ...environment, GATEHOUSE_HOME: home },
    });
  } finally {
    closeSync(log);
  }
}

function waitUntilReady(
  child: ChildProcess,
  { progress, abort, home }: PlatformLaunch,
  ended: Promise<number>,
): Promise<PlatformFile> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abort.reason as Error);
    abort.addEventListener('abort', onAbort, { once: true });
    child.once('error', reject);
    child.on('message', (message: PlatformMessage) => {
      if (message.kind === 'progress') progress(message.text);
      else if (message.kind === 'ready') resolve(message.platform);
      else reject(createError(message.code, message.message));
    });
    void ended.then((code) =>
      reject(
        new CommandFailedError(`The platform ended with code ${code} before it was ready`, [
          `tail ${getPlatformLog(home)}`,
        ]),
      ),
    );
    if (abort.aborted) onAbort();
  });
}

/** The kind of each expected failure of the platform. */
const KINDS: Readonly<Record<string, CliErrorCode>> = { port_taken: 'conflict', usage: 'usage' };

function createError(code: string, text: string): Error {
  if (code === 'home_in_use') return new HomeInUseError(text);
  const message = text.trim();
  const kind = KINDS[code];
  if (kind === 'conflict') return new ConflictError(message);
  return kind === 'usage' ? new UsageError(message) : new CommandFailedError(message);
}
