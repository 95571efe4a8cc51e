import { setTimeout as sleep } from 'node:timers/promises';
import { isResponse } from './response.ts';

/** Maximum number of bytes of a line that are read. */
const MAX_LINE_LENGTH = 256 * 1024;

/** Finds the first response of a stdio server in its output. */
export class ResponseDetector {
  readonly #found = Promise.withResolvers<undefined>();
  #isFound = false;
  #rest = '';

  /** Resolves after the first response: a result or an error. */
  get found(): Promise<undefined> {
    return this.#found.promise;
  }

  /** Reads the next part of the output. */
  push(data: Buffer): void {
    if (this.#isFound) return;
    const lines = (this.#rest + data.toString('utf8')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    if (!lines.some(isResponse)) return;
    this.#isFound = true;
    this.#rest = '';
    this.#found.resolve(undefined);
  }
}

/**
 * Waits for a response to a client.
 * @returns whether there was one before the end of the process
 * @throws Error when none arrives in time, or the abort reason
 */
export async function waitForResponse(
  response: ResponseDetector,
  ended: Promise<unknown>,
  timeoutMs: number,
  abort: AbortSignal,
): Promise<boolean> {
  const done = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: AbortSignal.any([abort, done.signal]) }).then(() => {
    throw new Error('it does not answer initialize on its standard output');
  });
  try {
    return await Promise.race([response.found.then(() => true), ended.then(() => false), late]);
  } finally {
    done.abort();
  }
}
