import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Docker Hub image that is the base of test images, when the engine has it. */
export const DEBIAN_IMAGE = 'debian:12-slim';
const PULL_TIMEOUT_MS = 10_000;
/**
 * The time for which a failed pull is remembered, so that other suites of a run do not try again.
 */
const PULL_RETRY_MS = 60 * 60_000;

/**
 * The source of the base image, or one sentence with the reason why this machine cannot build it.
 */
export type BaseSource = { kind: 'engine'; image: string } | { kind: 'debootstrap' } | { kind: 'none'; reason: string };

/** The input for the choice of a source. */
export interface BaseSourceRequest {
  /** Whether the engine has the image. */
  hasImage: (image: string) => Promise<boolean>;
  /** Pulls the image. Rejects when that fails, and when the signal aborts it. */
  pull: (image: string, signal: AbortSignal) => Promise<void>;
  /** File that remembers a failed pull. */
  failureFile: string;
  isRoot: boolean;
  hasDebootstrap: () => Promise<boolean>;
}

/**
 * Chooses the source of the base image: `debian:12-slim` that the engine has, or that it pulls
 * within 10 s (one attempt), or debootstrap as root.
 */
export async function chooseBaseSource(request: BaseSourceRequest): Promise<BaseSource> {
  const { hasImage, isRoot, hasDebootstrap } = request;
  if ((await hasImage(DEBIAN_IMAGE)) || (await canPull(request))) return { kind: 'engine', image: DEBIAN_IMAGE };
  if (!isRoot) {
    return {
      kind: 'none',
      reason: `The engine has no ${DEBIAN_IMAGE} and cannot pull it: docker pull ${DEBIAN_IMAGE}, or run this suite once as root.`,
    };
  }
  if (await hasDebootstrap()) return { kind: 'debootstrap' };
  return {
    kind: 'none',
    reason: `The engine has no ${DEBIAN_IMAGE} and cannot pull it: docker pull ${DEBIAN_IMAGE}, or apt-get install debootstrap (tools/testbed/prepare.mjs does it).`,
  };
}

async function canPull({ pull, failureFile }: BaseSourceRequest): Promise<boolean> {
  if (existsSync(failureFile) && Date.now() - statSync(failureFile).mtimeMs < PULL_RETRY_MS) return false;
  try {
    await pull(DEBIAN_IMAGE, AbortSignal.timeout(PULL_TIMEOUT_MS));
    rmSync(failureFile, { force: true });
    return true;
  } catch (error) {
    mkdirSync(dirname(failureFile), { recursive: true });
    writeFileSync(failureFile, `${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

/** Whether debootstrap is installed. */
export async function hasDebootstrap(): Promise<boolean> {
  try {
    await run('debootstrap', ['--version']);
    return true;
  } catch {
    return false;
  }
}
