import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { IgnoreFileError, IgnoreRules } from './ignore-rules.ts';
import { getErrorMessage } from '../errors/workload-error.ts';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads an ignore file. An absent file has no rules.
 * @param options.followLinks false for a file in a mount, whose links a server could change
 * @throws IgnoreFileError for every other reason not to read it
 */
export function readIgnoreFile(path: string, { followLinks }: { followLinks: boolean }): IgnoreRules | undefined {
  let file: number;
  try {
    const noFollow = followLinks ? 0 : constants.O_NOFOLLOW;
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new IgnoreFileError(`the ignore file ${path} is a symbolic link`);
    throw new IgnoreFileError(`the ignore file ${path} cannot be read: ${getErrorMessage(error)}`, { cause: error });
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new IgnoreFileError(`the ignore file ${path} is not a file`);
    if (stats.size > MAX_BYTES) throw new IgnoreFileError(`the ignore file ${path} is larger than 1 MiB`);
    return new IgnoreRules(decode(readFileSync(file), path), path);
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new IgnoreFileError(`the ignore file ${path} is not UTF-8 text`, { cause: error });
  }
}
