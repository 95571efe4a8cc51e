import { describe, expect, it, jest } from '@jest/globals';
import { redactInWorker, RedactionFailedError } from './redaction-pool.ts';

jest.setTimeout(60_000);

const redact = (patterns: string[], texts: string[], owner = 'one', deadlineMs?: number) =>
  redactInWorker({ patterns, texts }, { owner, ...(deadlineMs !== undefined && { deadlineMs }) });

/** Each match looks ahead to the end, so that the search takes the square of the length. */
const searchSlowly = (owner: string, deadlineMs: number) =>
  redact(['a[^b]*b|a'], ['a'.repeat(4 * 1024 * 1024)], owner, deadlineMs);

describe('redactInWorker', () => {
  it('redacts texts in their order', async () => {
    expect(await redact(['\\d+'], ['a1', 'b', '22c33'])).toEqual({
      texts: ['a[redacted]', 'b', '[redacted]c[redacted]'],
      count: 3,
    });
  });

  it('ends a search that takes too long, and keeps the event loop free meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    await expect(searchSlowly('one', 300)).rejects.toBeInstanceOf(RedactionFailedError);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect((await redact(['x'], ['xy'])).texts).toEqual(['[redacted]y']);
  });

  it('searches the texts of one owner while those of another take long', async () => {
    let hasEnded = false;
    const slow = Array.from({ length: 5 }, () => searchSlowly('one', 3_000).catch(() => (hasEnded = true)));
    expect((await redact(['x'], ['x'], 'other')).count).toBe(1);
    expect(hasEnded).toBe(false);
    await Promise.all(slow);
  });

  it('refuses texts that grow beyond all bounds', async () => {
    await expect(redact(['a'], ['ab'.repeat(2 * 1024 * 1024)])).rejects.toBeInstanceOf(RedactionFailedError);
  });
});
