import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOfFile, type KeyRing, KeyRingError, ringOf } from './key-ring.ts';

/**
 * Reads a folder with one file for each key, named by its version (`1`, `2`, …), as a mounted
 * Kubernetes Secret shows it. A file holds the 32 bytes themselves, or their base64. Names that
 * begin with a dot are passed over: that is how a mount keeps its own links.
 *
 * @throws KeyRingError with every problem
 */
export function readKeyFolder(folder: string): KeyRing {
  const names = attempt('the folder', () => readdirSync(folder)).filter((name) => !name.startsWith('.'));
  return ringOf(
    names.sort().map((name) => {
      const version = /^\d{1,10}$/.test(name) ? Number(name) : undefined;
      const content = attempt(`the file ${name}`, () => readFileSync(join(folder, name)));
      return { name: `the file ${name}`, version, bytes: keyOfFile(content) };
    }),
  );
}

function attempt<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new KeyRingError([`${what} cannot be read (${typeof code === 'string' ? code : 'unreadable'})`]);
  }
}
