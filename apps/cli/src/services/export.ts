import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { getErrorMessage } from '@gatehouse/workloads/errors/workload-error';
import { CommandFailedError, UsageError } from '../errors/cli-error.ts';

/**
 * Writes an exported configuration to a file that only its owner can read. Missing folders are
 * created, and an existing file is replaced as a whole.
 * @throws CliError for a path that cannot be written
 */
export function writeExport(path: string, document: string): void {
  const target = resolve(path);
  if (path === '' || path.endsWith('/') || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UsageError(`'${path}' is not the path of a file`, ['gatehouse export NAME folder/name.json']);
  try {
    makeFolders(dirname(target));
    replaceFile(target, document);
  } catch (error) {
    throw new CommandFailedError(`${path} cannot be written: ${getErrorMessage(error)}`, [], error);
  }
}

/** Creates a folder and its parents. The recursive mkdir of Node never ends in /proc. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o750 });
}
