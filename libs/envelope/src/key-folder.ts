import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyRing, decodeKeyFile, type KeyRing, KeyRingError } from './key-ring.ts';

/**
 * Reads a folder that contains one file for each key, named by its version (`1`, `2`, …), for
 * example a mounted Kubernetes Secret. A file contains the 32 bytes or their base64. Names that
 * begin with a dot are ignored: a mount keeps its own links under such names.
 *
 * @throws KeyRingError with every problem
 */
export function readKeyFolder(folder: string): KeyRing {
  const names = describeReadProblem('the folder', () => readdirSync(folder)).filter((name) => !name.startsWith('.'));
  return createKeyRing(
    names.sort().map((name) => {
      const version = /^\d{1,10}$/.test(name) ? Number(name) : undefined;
      const content = describeReadProblem(`the file ${name}`, () => readFileSync(join(folder, name)));
      return { name: `the file ${name}`, version, bytes: decodeKeyFile(content) };
    }),
  );
}

function describeReadProblem<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new KeyRingError([`${name} cannot be read (${typeof code === 'string' ? code : 'unreadable'})`]);
  }
}
