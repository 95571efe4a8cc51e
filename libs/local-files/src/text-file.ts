import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Paths of pipes that are safe to read: `<(command)` of a shell, and standard input. */
const SHELL_PIPE = /^\/(?:dev\/(?:fd\/\d+|stdin)|proc\/self\/fd\/\d+)$/;

/**
 * Reads a small UTF-8 text from a file or from a pipe of the shell. Other pipes and devices are
 * refused, because a read could block for ever.
 * @param maxBytes maximum size
 * @throws Error with the reason: missing, not a file, too large, not UTF-8.
 */
export function readSmallText(path: string, maxBytes: number): string {
  if (!statSync(path).isFile() && !SHELL_PIPE.test(path)) throw new Error('it is not a file');
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const parts: Buffer[] = [];
    for (let total = 0; ;) {
      const part = Buffer.alloc(Math.min(maxBytes + 1, Math.max(size + 1, 64 * 1024)));
      const read = readSync(file, part);
      if (read === 0) break;
      total += read;
      if (total > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024 / 1024} MiB`);
      parts.push(part.subarray(0, read));
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new Error('it is not UTF-8 text', { cause: error });
    throw error;
  } finally {
    closeSync(file);
  }
}
