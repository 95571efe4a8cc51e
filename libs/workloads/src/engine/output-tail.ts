import { EXCERPT_LINES } from './start-error.ts';

const MAX_BYTES = 4096;

/** Keeps the end of an output. */
export class OutputTail {
  #bytes = Buffer.alloc(0);

  push(data: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, data]).subarray(-MAX_BYTES);
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
  }

  /** Returns its last lines, oldest first. */
  listLines(): string[] {
    return this.#bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-EXCERPT_LINES);
  }
}
