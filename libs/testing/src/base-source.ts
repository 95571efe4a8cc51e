import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The image of Docker Hub that the base image is made from, where the engine has it. */
export const DEBIAN_IMAGE = 'debian:12-slim';
const PULL_TIMEOUT_MS = 10_000;
/** How long a failed pull is remembered: no suite of the same run tries again. */
const PULL_RETRY_MS = 60 * 60_000;

/** Where the base image comes from, or one sentence that says why this machine cannot make it. */
export type BaseSource = { kind: 'engine'; image: string } | { kind: 'debootstrap' } | { kind: 'none'; reason: string };

/** What the choice of a source depends on. */
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
 * Chooses the source of the base image: the engine has `debian:12-slim`, or pulls it within 10 s
 * (tried once), or root makes it with debootstrap.
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
