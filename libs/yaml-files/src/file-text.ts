import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { FileProblemError } from './file-problem.ts';

/** Largest size of a file, in bytes. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** The content of a file. */
export interface FileBytes {
  readonly bytes: Buffer;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

/**
 * Reads a file. It opens pipes and devices without blocking, and refuses them.
 * @throws FileProblemError, or the error of the file system with the code ENOENT
 */
export function readYamlFile(path: string): FileBytes {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpenFile(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof FileProblemError || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    throw new FileProblemError(`cannot be read (${(error as Error).message})`, undefined, error);
  }
}

function readOpenFile(file: number): FileBytes {
  const status = fstatSync(file);
  if (!status.isFile()) throw new FileProblemError('is not a regular file');
  const buffer = Buffer.allocUnsafe(Math.min(status.size, MAX_FILE_BYTES) + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read)
    read = readSync(file, buffer, length, buffer.length - length, null);
  if (length > MAX_FILE_BYTES || status.size > MAX_FILE_BYTES) throw new FileProblemError('is larger than 1 MiB');
  const bytes = buffer.subarray(0, length);
  return { bytes, hash: hashBytes(bytes) };
}

/** Returns the SHA-256 of bytes, hexadecimal. */
export const hashBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Decodes the bytes of a file. A byte order mark stays. @throws FileProblemError */
export function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new FileProblemError('is not UTF-8 text', undefined, cause);
  }
}
