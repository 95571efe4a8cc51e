import { describe, expect, it } from '@jest/globals';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import fc from 'fast-check';
import { type KeysetList, readKeysetPage, buildKeysetSql, type KeysetStep } from './keyset.ts';

const codec = new CursorCodec('a key of at least thirty-two bytes!!');
const binding = { list: 'numbers', filters: {}, caller: { issuerId: 'local', subject: 'ann' } };

/** A list of numbers in memory that can change between two pages. */
const createList = (numbers: Set<number>): KeysetList<number> => ({
  binding,
  getSortKey: (row) => [row],
  read: ({ direction, from, inclusive, limit }: KeysetStep) => {
    const sign = direction === 'forward' ? 1 : -1;
    const position = from?.[0] as number | undefined;
    const rows = [...numbers]
      .filter((n) => position === undefined || sign * (n - position) > 0 || (inclusive && n === position))
      .sort((a, b) => sign * (a - b));
    return Promise.resolve(rows.slice(0, limit));
  },
});

const drain = async (numbers: Set<number>, limit: number, direction: 'cursor' | 'before', start?: string) => {
  const pages: number[][] = [];
  let cursor = start;
  do {
    const page = await readKeysetPage(codec, createList(numbers), { [direction]: cursor, limit });
    pages.push(page.rows);
    cursor = direction === 'cursor' ? page.next_cursor : page.prev_cursor;
  } while (cursor !== undefined);
  return pages;
};

describe('readKeysetPage', () => {
  it('returns each row once, in order, with any page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer()), fc.integer({ min: 1, max: 7 }), async (numbers, limit) => {
        const pages = await drain(new Set(numbers), limit, 'cursor');
        expect(pages.flat()).toEqual([...numbers].sort((a, b) => a - b));
      }),
    );
  });

  it('returns the same pages backwards', async () => {
    const numbers = new Set([1, 2, 3, 4, 5, 6, 7]);
    const first = await readKeysetPage(codec, createList(numbers), { limit: 3 });
    const second = await readKeysetPage(codec, createList(numbers), { cursor: first.next_cursor, limit: 3 });
    expect(second.rows).toEqual([4, 5, 6]);
    const again = await readKeysetPage(codec, createList(numbers), { before: second.prev_cursor, limit: 3 });
    expect(again.rows).toEqual([1, 2, 3]);
    expect(again.prev_cursor).toBeUndefined();
    expect(again.next_cursor).toBeDefined();
  });

  it('neither repeats nor skips a row that stays while other rows are added and removed between pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 }),
        fc.array(fc.integer({ min: 0, max: 1_000 })),
        fc.integer({ min: 1, max: 5 }),
        async (staying, passing, limit) => {
          const others = passing.filter((n) => !staying.includes(n));
          const numbers = new Set(staying);
          const seen: number[] = [];
          let cursor: string | undefined;
          do {
            const page = await readKeysetPage(codec, createList(numbers), { cursor, limit });
            seen.push(...page.rows);
            cursor = page.next_cursor;
            const other = others.pop();
            if (other !== undefined && !numbers.delete(other)) numbers.add(other);
          } while (cursor !== undefined);
          expect(seen.filter((n) => staying.includes(n))).toEqual([...staying].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('leads back from a page that has become empty, with the last row before it', async () => {
    const numbers = new Set([1, 2, 3]);
    const first = await readKeysetPage(codec, createList(numbers), { limit: 2 });
    numbers.delete(3);
    const empty = await readKeysetPage(codec, createList(numbers), { cursor: first.next_cursor, limit: 2 });
    expect(empty).toEqual({ rows: [], prev_cursor: expect.any(String) });
    expect((await drain(numbers, 2, 'before', empty.prev_cursor)).flat()).toEqual([1, 2]);
  });

  it('refuses both directions at once', async () => {
    const page = await readKeysetPage(codec, createList(new Set([1, 2])), { limit: 1 });
    await expect(
      readKeysetPage(codec, createList(new Set()), { cursor: page.next_cursor, before: page.next_cursor, limit: 1 }),
    ).rejects.toThrow(HttpError);
  });

  it('writes a step as one row comparison (buildKeysetSql)', () => {
    const params: unknown[] = ['first'];
    const step = { direction: 'backward', from: ['2026-01-01T00:00:00Z', 'x'], inclusive: true, limit: 1 } as const;
    const columns = [
      ['at', 'timestamptz'],
      ['id', 'uuid'],
    ] as const;
    expect(buildKeysetSql(step, columns, 'ascending', params)).toEqual({
      where: '(at, id) <= ($2::timestamptz, $3::uuid)',
      orderBy: 'at DESC, id DESC',
    });
    expect(params).toEqual(['first', '2026-01-01T00:00:00Z', 'x']);
  });
});
