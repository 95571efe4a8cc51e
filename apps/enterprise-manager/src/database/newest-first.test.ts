import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { readNewestFirst } from './newest-first.ts';

interface Filter {
  from?: string | undefined;
  to?: string | undefined;
}

const NOW = new Date('2026-03-15T12:00:00.000Z');

/** A list of times, newest first, that records the reads. */
function createList(times: readonly string[]) {
  const filters: Filter[] = [];
  const read = (filter: Filter, { direction, from, limit }: KeysetStep) => {
    filters.push(filter);
    const [start] = from ?? [];
    const within = times.filter(
      (time) =>
        (filter.from === undefined || time >= filter.from) &&
        (filter.to === undefined || time < filter.to) &&
        (typeof start !== 'string' || (direction === 'forward' ? time < start : time > start)),
    );
    const rising = direction === 'backward';
    return Promise.resolve(within.toSorted((a, b) => (a < b === rising ? -1 : 1)).slice(0, limit));
  };
  return { filters, read };
}

const forward = (limit: number, start?: string): KeysetStep => ({
  direction: 'forward',
  inclusive: false,
  limit,
  ...(start !== undefined && { from: [start] }),
});

describe('readNewestFirst', () => {
  it('does not read older months when the newest two have enough rows', async () => {
    const { filters, read } = createList([
      '2026-03-10T00:00:00.000Z',
      '2026-02-10T00:00:00.000Z',
      '2025-02-10T00:00:00.000Z',
    ]);
    expect(await readNewestFirst({}, forward(2), NOW, read)).toHaveLength(2);
    expect(filters).toEqual([{ from: '2026-02-01T00:00:00.000Z' }]);
  });

  it('begins at the end of the range, or at the cursor', async () => {
    const { filters, read } = createList(['2025-06-30T00:00:00.000Z', '2025-03-31T00:00:00.000Z']);
    await readNewestFirst({ to: '2025-07-05T00:00:00Z' }, forward(1), NOW, read);
    await readNewestFirst({ to: '2025-07-05T00:00:00Z' }, forward(1, '2025-04-01T00:00:00.000Z'), NOW, read);
    expect(filters.map(({ from }) => from)).toEqual(['2025-06-01T00:00:00.000Z', '2025-03-01T00:00:00.000Z']);
  });

  it('returns the rows of a single read, with any range and cursor', async () => {
    const time = fc
      .date({ min: new Date('2025-01-01'), max: new Date('2026-04-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const step = fc.record({ limit: fc.integer({ min: 1, max: 12 }), start: fc.option(time, { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(time, { maxLength: 30 }),
        fc.record({ from: fc.option(time, { nil: undefined }), to: fc.option(time, { nil: undefined }) }),
        step,
        fc.constantFrom('forward', 'backward'),
        async (times, filter, { limit, start }, direction) => {
          const request = { ...forward(limit, start), direction } as const;
          const { read } = createList(times);
          expect(await readNewestFirst(filter, request, NOW, read)).toEqual(await read(filter, request));
        },
      ),
    );
  });
});
