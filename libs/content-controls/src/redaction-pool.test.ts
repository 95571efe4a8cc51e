import { describe, expect, it, jest } from '@jest/globals';
import { redactInWorker, RedactionFailedError } from './redaction-pool.ts';

jest.setTimeout(60_000);

describe('redactInWorker', () => {
  it('redacts texts in their order', async () => {
    expect(await redactInWorker({ patterns: ['\\d+'], texts: ['a1', 'b', '22c33'] })).toEqual({
      texts: ['a[redacted]', 'b', '[redacted]c[redacted]'],
      count: 3,
    });
  });

  it('ends a search that takes too long, and keeps the event loop free meanwhile', async () => {
    // Each match looks ahead to the end: the search takes the square of the length.
    await redactInWorker({ patterns: ['x'], texts: [''] });
    const slow = redactInWorker({ patterns: ['a[^b]*b|a'], texts: ['a'.repeat(4 * 1024 * 1024)] }, 300);
    const later = redactInWorker({ patterns: ['x'], texts: ['xy'] });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    await expect(slow).rejects.toBeInstanceOf(RedactionFailedError);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect((await later).texts).toEqual(['[redacted]y']);
    expect((await redactInWorker({ patterns: ['x'], texts: ['x'] })).count).toBe(1);
  });

  it('refuses texts that grow beyond all bounds', async () => {
    const texts = ['ab'.repeat(2 * 1024 * 1024)];
    await expect(redactInWorker({ patterns: ['a'], texts })).rejects.toBeInstanceOf(RedactionFailedError);
  });
});
