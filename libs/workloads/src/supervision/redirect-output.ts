import { closeSync, openSync } from 'node:fs';

/** The descriptors of the standard output and of the standard error. */
const OUTPUTS = [1, 2];

/**
 * Appends the output of this process to a file, with the last words of Node itself. An opened file
 * gets the lowest free descriptor, which is the one that was just closed.
 */
export function redirectOutput(path: string): void {
  for (const output of OUTPUTS) {
    closeSync(output);
    openSync(path, 'a', 0o600);
  }
}
