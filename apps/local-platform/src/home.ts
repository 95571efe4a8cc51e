import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The paths of a platform below its home folder. */
export interface HomePaths {
  home: string;
  platformFile: string;
  credentialsFile: string;
  lockFile: string;
  /** Process and start time of the owner of the lock. */
  ownerFile: string;
  secrets: string;
  identityProvider: string;
  postgres: string;
  /** Further token issuers; the user writes this file. */
  issuersFile: string;
  config: string;
  /** The AIGateway and its policies as YAML files; the user can edit them. */
  resources: string;
  /** The outbox of the usage of models. */
  usage: string;
  logs: string;
  run: string;
}

/** Returns the paths of a home. */
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
    resources: join(home, 'resources'),
    usage: join(home, 'ai-gateway', 'usage'),
    logs: join(home, 'logs'),
    run: join(home, 'run'),
  };
}

/**
 * Creates the folders, for their owner only. As root, other users can enter the home but not list
 * it, because the database server runs as the user `postgres` and must reach its data.
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
 * Replaces a file atomically, mode 0600: readers see the old or the new text, also after a crash.
 */
export function replaceFile(file: string, text: string): void {
  const fresh = temporaryName(file);
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(fresh, file);
}

/** Returns the text of a file. Creates a missing file atomically, mode 0600. */
export function readOrCreate(file: string, make: () => string): string {
  const found = readIfExists(file);
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

/** A file of the platform has invalid content. */
export class DamagedFileError extends GatehouseError {
  override readonly code = 'damaged_file';
  constructor(file: string, cause: unknown) {
    super(
      `${file} is damaged. Restore an earlier copy. To start again with new identities and an empty database, move the home folder away.`,
      { cause },
    );
  }
}

/** Parses the JSON object of a file. @throws {DamagedFileError} */
export function parseObject(file: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw new DamagedFileError(file, cause);
  }
  throw new DamagedFileError(file, undefined);
}

export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Size in bytes above which the next start rotates a log file. */
const LOG_LIMIT = 10 * 1024 * 1024;

/** Rotates a large log, so that a service has at most two log files. */
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
