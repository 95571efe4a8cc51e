import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { atMostEntries, checkedInTurns, faultsBy } from './schema-check.ts';
import { validationError } from '../errors/sentences.ts';
import { ValidationPipe } from './validation.ts';

const pipe = new ValidationPipe();
const outcome = (schema: z.ZodType, value: unknown): Promise<unknown> =>
  pipe.transform(value, { type: 'body', schema } as never).catch((error: unknown) => (error as Error).message);

const labels = (entries: number, value: (at: number) => unknown) =>
  Object.fromEntries(Array.from({ length: entries }, (_, at) => [`k${at}`, value(at)]));

describe('ValidationPipe with a large record or list', () => {
  let checkCount = 0;
  const counted = z.string().refine((text) => {
    checkCount += 1;
    return text === 'good';
  }, 'is bad');
  const schema = z.strictObject({ labels: z.record(z.string(), counted), list: z.array(counted).optional() });

  it('stops at the sixth fault of a record', async () => {
    checkCount = 0;
    const named = [0, 1, 2, 3, 4].map((at) => `labels.k${at}: is bad`).join('; ');
    expect(await outcome(schema, { labels: labels(40_000, () => 'bad') })).toBe(`${named}; and more`);
    expect(checkCount).toBe(6);
  });

  it('stops at the sixth fault of a list', async () => {
    checkCount = 0;
    const list = Array.from({ length: 40_000 }, () => 'bad');
    expect(await outcome(schema, { labels: {}, list })).toMatch(/^list\[0\]: is bad; .*list\[4\]: is bad; and more$/);
    expect(checkCount).toBe(6);
  });

  it('checks the length of a list before its items', async () => {
    const short = z.strictObject({ deep: z.strictObject({ list: z.array(z.uuid()).max(1_000) }) });
    expect(await outcome(short, { deep: { list: Array.from({ length: 40_000 }, () => 'x') } })).toBe(
      'deep.list: must have at most 1000 items',
    );
  });

  it('checks the number of entries of a record before the entries', async () => {
    checkCount = 0;
    const few = z.strictObject({ deep: z.record(z.string(), counted).check(atMostEntries(60)).optional() });
    expect(await outcome(few, { deep: labels(61, () => 'good') })).toBe('deep: must have at most 60 entries');
    expect(checkCount).toBe(0);
    expect(await outcome(few, { deep: labels(60, () => 'good') })).toMatchObject({ deep: { k59: 'good' } });
    expect(few.safeParse({ deep: labels(61, () => 'good') }).error?.issues).toMatchObject([{ path: ['deep'] }]);
  });

  it('names the first unknown members', async () => {
    const names = [0, 1, 2, 3, 4].map((at) => `k${at}: is not a known field`).join('; ');
    expect(
      await outcome(
        z.strictObject({}),
        labels(49_999, () => 1),
      ),
    ).toBe(`${names}; and more`);
  });

  it('finds lists inside optional, nullable and piped schemas', async () => {
    checkCount = 0;
    const below = z.object({ a: z.array(counted).transform((list) => list.length) }).nullable();
    expect(await outcome(below.optional(), { a: Array.from({ length: 40_000 }, () => 'bad') })).toMatch(/^a\[0\]: /);
    expect(checkCount).toBe(6);
  });

  it('returns a valid value unchanged', async () => {
    const value = { labels: labels(1_000, () => 'good'), list: Array.from({ length: 1_000 }, () => 'good') };
    expect(await outcome(schema, value)).toEqual(value);
  });
});

describe('checkedInTurns', () => {
  const Item = z.strictObject({ id: z.string().transform((text) => text.toUpperCase()), n: z.int().default(7) });
  const schema = z.strictObject({ items: z.array(checkedInTurns(Item)).max(3) });

  it('returns the items as their schema transforms them', async () => {
    expect(await outcome(schema, { items: [{ id: 'a' }, { id: 'b', n: 1 }] })).toEqual({
      items: [
        { id: 'A', n: 7 },
        { id: 'B', n: 1 },
      ],
    });
  });

  it('names the index of the item with a fault', async () => {
    expect(await outcome(schema, { items: [{ id: 'a' }, { id: 1, x: 2 }, {}] })).toBe(
      'items[1].id: must be a string; items[1].x: is not a known field; items[2].id: is required',
    );
  });
});

describe('faultsBy', () => {
  it('finds faults only in values that the schema refuses', () => {
    const schema = z.object({ list: z.array(z.int()).max(100), record: z.record(z.string().max(3), z.int()) });
    const values = fc.record({
      list: fc.array(fc.oneof({ weight: 300, arbitrary: fc.integer() }, fc.string()), { maxLength: 120 }),
      record: fc.dictionary(
        fc.string({ maxLength: 4, unit: 'grapheme' }),
        fc.oneof({ weight: 300, arbitrary: fc.integer() }, fc.string()),
        { maxKeys: 80, noNullPrototype: true },
      ),
    });
    fc.assert(
      fc.property(values, (value) => {
        if (faultsBy(schema, value).length > 0) expect(schema.safeParse(value).success).toBe(false);
      }),
    );
  });
});

describe('a missing value', () => {
  it.each<[string, z.ZodType]>([
    ['a format with its own message', z.url({ error: 'must be an https URL' })],
    ['an enumeration with its own message', z.enum(['a'], { error: 'must be a' })],
    ['a number', z.coerce.number()],
    [
      'a list with commas',
      z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(z.string())),
    ],
  ])('is reported as required for %s', async (_, schema) => {
    expect(await outcome(z.object({ field: schema }), {})).toBe('field: is required');
  });

  it('keeps the message of a rule about several fields', () => {
    const schema = z
      .object({ a: z.string().optional() })
      .refine(() => false, { path: ['a'], error: 'is needed for b' });
    expect(validationError(schema.safeParse({}).error!.issues).message).toBe('a: is needed for b');
  });
});
