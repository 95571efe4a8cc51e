import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/**
 * What a shell hands over for `<(command)`, and standard input: pipes that are meant to be read.
 */
const HANDED_OVER = /^\/(?:dev\/(?:fd\/\d+|stdin)|proc\/self\/fd\/\d+)$/;

/**
 * Reads a small UTF-8 text: a file, or a pipe that the shell opened for us. Any other pipe or
 * device could keep us for ever.
 * @param largest in bytes
 * @throws Error that says why not: no such file, no file at all, too large, not UTF-8.
 */
export function readSmallText(path: string, largest: number): string {
  if (!statSync(path).isFile() && !HANDED_OVER.test(path)) throw new Error('it is not a file');
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const parts: Buffer[] = [];
    for (let total = 0; ;) {
      const part = Buffer.alloc(Math.min(largest + 1, Math.max(size + 1, 64 * 1024)));
      const read = readSync(file, part);
      if (read === 0) break;
      total += read;
      if (total > largest) throw new Error(`it is larger than ${largest / 1024 / 1024} MiB`);
      parts.push(part.subarray(0, read));
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof TypeError) throw new Error('it is not UTF-8 text', { cause: error });
    throw error;
  } finally {
    closeSync(file);
  }
}
