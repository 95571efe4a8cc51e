import { cacheFolder } from './cache.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import { withLock } from './lock.ts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Longest time in which another suite installs the same packages. */
const INSTALLATION_MS = 600_000;

/**
 * A Python with a package: a virtual environment in the cache folder, created once for each list of
 * requirements. It needs Python 3.11 or newer with the module venv, and PyPI the first time.
 * @param name of the package
 * @param requirements path of its `requirements.txt`
 */
export async function pythonWith(name: string, requirements: string): Promise<Fixture<string>> {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(cacheFolder('python'), `${name}-${digest}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return available(python);
  try {
    await run('python3', ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))']);
  } catch {
    return unavailable('there is no Python 3.11 with venv; install the Debian package python3-venv');
  }
  try {
    // Suites with the same requirements start at the same time.
    await withLock(
      `${folder}.lock`,
      async () => {
        if (!existsSync(python)) await install(folder, requirements);
      },
      INSTALLATION_MS,
    );
    return available(python);
  } catch (error) {
    return unavailable(
      `${name} could not be installed from PyPI: ${String((error as Error | undefined)?.message ?? error).slice(-500)}`,
    );
  }
}

/** Python with the official SDK of MCP, and with mcp-server-time. */
export const mcpPython = (): Promise<Fixture<string>> =>
  pythonWith('mcp', join(import.meta.dirname, 'mcp-python', 'requirements.txt'));

/** Creates an environment with the packages. Only a complete one gets the final name. */
async function install(folder: string, requirements: string): Promise<void> {
  const pip = await pythonWithPip();
  const made = `${folder}.${process.pid}`;
  try {
    await run('python3', ['-m', 'venv', '--without-pip', made]);
    // The file lists every package. Without --no-deps, pip 23 looks for newer ones for extras.
    const flags = ['--quiet', '--no-deps', '--require-hashes', '--only-binary=:all:'];
    const target = ['--python', join(made, 'bin', 'python')];
    await run(pip, ['-m', 'pip', ...target, 'install', ...flags, '-r', requirements]);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** The Python whose pip installs the packages of all environments. A copy in each costs seconds. */
async function pythonWithPip(): Promise<string> {
  const folder = cacheFolder('python');
  const path = join(folder, 'pip');
  await withLock(`${path}.lock`, async () => {
    const made = `${path}.${process.pid}`;
    if (existsSync(path)) return;
    await run('python3', ['-m', 'venv', made]);
    renameSync(made, path);
  });
  return join(path, 'bin', 'python');
}
