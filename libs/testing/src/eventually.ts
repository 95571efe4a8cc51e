import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Polls until a condition holds.
 * @returns the first value that is neither false nor undefined
 * @throws {Error} if there is none in time
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  condition: string,
  withinMs = 60_000,
): Promise<Exclude<T, false | undefined>> {
  for (const end = performance.now() + withinMs; ;) {
    const value = await read();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await sleep(POLL_MS);
  }
}

/**
 * Polls until a value is as expected.
 * @throws {Error} with the last value, if it is never as expected in time
 */
export async function waitForValue<T>(
  read: () => T | Promise<T>,
  isExpected: (value: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  for (const end = performance.now() + withinMs; ;) {
    const value = await read();
    if (isExpected(value)) return value;
    if (performance.now() > end) throw new Error(`after ${withinMs} ms the value is ${JSON.stringify(value)}`);
    await sleep(POLL_MS);
  }
}
