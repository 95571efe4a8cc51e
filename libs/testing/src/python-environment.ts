import { cacheFolder } from './cache.ts';
import { available, type Fixture, unavailable } from './fixture.ts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

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
  const made = `${folder}.${process.pid}`;
  try {
    await run('python3', ['-m', 'venv', made]);
    // The file lists every package. Without --no-deps, pip 23 looks for newer ones for extras.
    const flags = ['--quiet', '--no-deps', '--require-hashes', '--only-binary=:all:'];
    await run(join(made, 'bin', 'python'), ['-m', 'pip', 'install', ...flags, '-r', requirements]);
    // Only a complete environment gets the final name. Another run may have created it first.
    if (!existsSync(python)) renameSync(made, folder);
    return available(python);
  } catch (error) {
    return unavailable(
      `${name} could not be installed from PyPI: ${String((error as Error | undefined)?.message ?? error).slice(-500)}`,
    );
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
