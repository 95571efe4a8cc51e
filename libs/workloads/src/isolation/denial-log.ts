import { stripVTControlCharacters } from 'node:util';

/** Time in which equal refusals are logged once. */
const REPEAT_MS = 60_000;
/** Lines of one repeat time, so that a hostile server cannot fill the log. */
const MAX_LINES = 200;

/** Writes refused connections, each once in a minute. */
export class DenialLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  #seen = new Set<string>();
  #since = 0;

  /** @param now milliseconds of a clock */
  constructor(write: (line: string) => void, now: () => number = Date.now) {
    this.#write = write;
    this.#now = now;
  }

  /** @param target the host and port, as far as they are known */
  add(target: string, rule: string): void {
    const now = this.#now();
    if (now - this.#since > REPEAT_MS) {
      this.#seen = new Set();
      this.#since = now;
    }
    const line = `denied ${stripVTControlCharacters(target)
      .replace(/[^\x20-\x7e]/g, '?')
      .slice(0, 300)} (${rule})`;
    if (this.#seen.has(line) || this.#seen.size > MAX_LINES) return;
    this.#seen.add(line);
    this.#write(this.#seen.size > MAX_LINES ? 'denied more; the next lines of this minute are left out' : line);
  }
}
