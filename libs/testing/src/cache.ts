import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const repositoryRoot = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

/**
 * A folder in `.cache` of the repository, for files that test runs share and leave behind. It is
 * created when missing.
 */
export function cacheFolder(...parts: string[]): string {
  const folder = join(repositoryRoot, '.cache', ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * The folder of the binaries that tools/testbed builds: `$XDG_CACHE_HOME/gatehouse/testbed`, by
 * default in `~/.cache`.
 */
export function testbedFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gatehouse', 'testbed');
}
