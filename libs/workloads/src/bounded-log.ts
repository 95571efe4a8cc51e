import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** How much a log file may hold before it is put aside. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/** Where the older part of a log lies. */
export function olderPartOf(path: string): string {
  return `${path}.1`;
}

/**
 * A log file that does not grow for ever: when it is full its text is kept beside it, in place of
 * what was kept before, and it begins anew. It stays the same file, so that whoever else has it
 * open (a process's standard error, a reader) goes on with it. Writing never fails: a full disk
 * costs lines, not the workload.
 */
export class BoundedLog {
  readonly #path: string;
  readonly #file: number;
  readonly #largest: number;

  /** @param largest in bytes */
  constructor(path: string, largest = LARGEST_BYTES) {
    this.#path = path;
    this.#largest = largest;
    this.#file = openSync(path, 'a', 0o600);
  }

  /**
   * Adds to the log. Returns when the system has it: a server that writes faster than the disk is
   * held back.
   */
  write(data: Buffer | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    try {
      if (fstatSync(this.#file).size + bytes.length > this.#largest) {
        copyFileSync(this.#path, olderPartOf(this.#path));
        ftruncateSync(this.#file);
      }
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    } catch {
      // No room, or the workload was removed: there is nobody to tell.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
