import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where everything of a platform lies below its home folder. */
export interface HomePaths {
  home: string;
  platformFile: string;
  credentialsFile: string;
  lockFile: string;
  /** Who holds the lock. */
  ownerFile: string;
  secrets: string;
  identityProvider: string;
  postgres: string;
  /** Token issuers besides the platform's own; written by the user. */
  issuersFile: string;
  config: string;
  logs: string;
  run: string;
}

/** The places of a home. */
export function homePaths(home: string): HomePaths {
  return {
    home,
    platformFile: join(home, 'platform.json'),
    credentialsFile: join(home, 'credentials.json'),
    lockFile: join(home, 'run', 'lock.sqlite'),
    ownerFile: join(home, 'run', 'supervisor.json'),
    secrets: join(home, 'secrets'),
    identityProvider: join(home, 'identity-provider'),
    postgres: join(home, 'postgres'),
    issuersFile: join(home, 'issuers.yaml'),
    config: join(home, 'config'),
    logs: join(home, 'logs'),
    run: join(home, 'run'),
  };
}

/**
 * Makes the folders, closed to everybody else. As root the home itself can be entered, not listed,
 * by others: the database server then runs as the user `postgres`, who has to pass through it to
 * its data.
 */
export function prepareHome(paths: HomePaths, isRoot = process.getuid?.() === 0): void {
  mkdirSync(paths.home, { recursive: true });
  chmodSync(paths.home, isRoot ? 0o711 : 0o700);
  for (const folder of [paths.secrets, paths.identityProvider, paths.config, paths.logs, paths.run]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  }
  replaceFile(join(paths.home, '.gitignore'), '*\n');
}

/**
 * Replaces a file as a whole, mode 0600: a reader sees the old text or the new one, also after a
 * crash in between.
 */
export function replaceFile(file: string, text: string): void {
  const fresh = temporaryName(file);
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(fresh, file);
}

/** The text of a file; when there is none, it is made, mode 0600, as a whole or not at all. */
export function readOrCreate(file: string, make: () => string): string {
  const found = readIfThere(file);
  if (found !== undefined) return found;
  const fresh = temporaryName(file);
  writeFileSync(fresh, make(), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(file, 'utf8');
}

/** A file that the platform made itself does not hold what it should. */
export class DamagedFileError extends GatehouseError {
  override readonly code = 'damaged_file';
  constructor(file: string, cause: unknown) {
    super(
      `${file} is damaged. Put an earlier copy of it back; or, to start over with new identities and an empty database, move the whole home away.`,
      { cause },
    );
  }
}

/** The JSON object of a text that came from `file`. @throws {DamagedFileError} */
export function parseObject(file: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw new DamagedFileError(file, cause);
  }
  throw new DamagedFileError(file, undefined);
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Bytes after which a log file is put aside at the next start. */
const LOG_LIMIT = 10 * 1024 * 1024;

/**
 * Puts a large log of an earlier start aside, so that logs never grow beyond two files of a
 * service.
 */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT) renameSync(file, `${file}.1`);
}

function temporaryName(file: string): string {
  return join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
