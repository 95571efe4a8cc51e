import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Maximum size of a log file. A full file becomes the older part. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Returns the path of the older part of a log. */
export function getOlderPart(path: string): string {
  return `${path}.1`;
}

/**
 * A log file of limited size. A full file is copied to the older part and truncated. It stays the
 * same file, so that other processes can keep it open. Writing never throws: when the disk is full,
 * lines are lost and the workload continues.
 */
export class BoundedLog {
  readonly #path: string;
  readonly #file: number;
  readonly #maxBytes: number;

  /** @param maxBytes maximum size of each of the two parts */
  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#file = openSync(path, 'a', 0o600);
  }

  /** Appends to the log. It is synchronous, which slows down a server that writes too fast. */
  write(data: Buffer | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    try {
      if (fstatSync(this.#file).size + bytes.length > this.#maxBytes) {
        copyFileSync(this.#path, getOlderPart(this.#path));
        ftruncateSync(this.#file);
      }
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    } catch {
      // The disk is full or the workload was removed; the lines are lost.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
