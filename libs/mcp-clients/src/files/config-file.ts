import { lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { ClientFileError, ConfigTextError } from './client-file-error.ts';

/** The number of times that a file is read again because another program has changed it. */
const MAX_ATTEMPTS = 5;
const MAX_LINKS = 40;
const BYTE_ORDER_MARK = '\uFEFF';

/** A configuration file as it was read. */
interface ReadFile {
  /** The path without symbolic links. */
  readonly target: string;
  /** The bytes; undefined for a missing file. */
  readonly bytes: Buffer | undefined;
  /** The permissions; those of a new file only let its owner read it. */
  readonly mode: number;
}

/**
 * Changes a configuration file atomically. Symbolic links stay, the file behind them is replaced.
 * Permissions and a byte order mark stay. A file that another program changes in the meantime is
 * read again.
 * @param change returns the new text, or undefined to remove the file; undefined is a missing file.
 * It can be called several times.
 * @throws ClientFileError; the file stays as it was
 */
export function changeConfigFile(path: string, change: (text: string | undefined) => string | undefined): void {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { target, bytes, mode } = readFile(path);
    const { mark, text } = bytes === undefined ? { mark: '', text: undefined } : decode(path, bytes);
    const changed = describeErrors(path, () => change(text));
    if (changed === text) return;
    const now = readFile(path);
    if (now.target !== target || !isSame(now.bytes, bytes)) continue;
    try {
      if (changed === undefined) rmSync(target);
      else {
        mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
        replaceFile(target, mark + changed, mode);
      }
    } catch (error) {
      throw new ClientFileError(`${path} cannot be written: ${(error as Error).message}`, error);
    }
    return;
  }
  throw new ClientFileError(`${path} was changed by another program again and again, so it was not written`);
}

function describeErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigTextError)) throw error;
    const { position, reason } = error;
    const place = position === undefined ? '' : `:${position.line}:${position.column}`;
    throw new ClientFileError(`${path}${place} ${reason}`, error);
  }
}

function readFile(path: string): ReadFile {
  try {
    const target = followLinks(path);
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats === undefined) return { target, bytes: undefined, mode: 0o600 };
    if (!stats.isFile()) throw new Error('it is not a file');
    return { target, bytes: readFileSync(target), mode: stats.mode & 0o777 };
  } catch (error) {
    throw new ClientFileError(`${path} cannot be read: ${(error as Error).message}`, error);
  }
}

/** Returns the file behind symbolic links; it can be missing. */
function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      const folder = dirname(target);
      // A link of a folder changes the meaning of `..` in the links below it.
      return statSync(folder, { throwIfNoEntry: false })
        ? resolve(realpathSync(folder), target.slice(folder.length + 1))
        : target;
    }
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  throw new Error('it is a loop of symbolic links');
}

function decode(path: string, bytes: Buffer): { mark: string; text: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    return { mark, text: text.slice(mark.length) };
  } catch (error) {
    throw new ClientFileError(`${path} is not UTF-8 text`, error);
  }
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
