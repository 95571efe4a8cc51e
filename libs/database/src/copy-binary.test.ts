import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { type Column, copyTable } from './copy-binary.ts';
import { createDataSource } from './data-source.ts';
import { inTransaction } from './transaction.ts';
import { isUnavailable } from './unavailable.ts';

/** Values of each type, as they are given. */
const VALUES = {
  text: ['', 'a\tb\nc\\N\\.', 'ä', '日本', '😀', 'x'.repeat(64), 'é'.repeat(40_000)],
  uuid: ['00000000-0000-0000-0000-000000000000', '01234567-89AB-cdef-0123-456789abcdeF'],
  int: [0, -1, 2_147_483_647, -2_147_483_648],
  bigint: [0, -1, 1, 4_294_967_295, 4_294_967_296, -4_294_967_297, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  boolean: [true, false],
  bytea: ['\\x', '\\x00ff'],
  timestamptz: [
    '0001-01-01T00:00:00.000Z',
    '2255-06-05T23:47:34.741Z',
    '9999-12-31T23:59:59.999Z',
    '2026-11-22T16:20:00.123Z',
    '1969-12-31T23:59:59.999Z',
  ],
  json: ['{}', '{"b":[1,"ä\\u0000\\\\",null],  "a":1e400}', '"\\ud800"', `["${'é'.repeat(40_000)}"]`],
  'text[]': [[], ['a'], ['', 'NULL', null, '{,"\\', '日本'], Array.from({ length: 500 }, (_, at) => `group ${at}`)],
  numeric: [
    ...['0', '0.000000000', '-0.00', '1', '-1', '0.5', '-0.000000001', '0.0001', '0.00010', '10000', '10000.0001'],
    ...['99999999', '123456789012.123456789', '-999999999999.999999999', '100000000', '007.10', '9999.9999', '00000.1'],
    `${'9'.repeat(120)}.${'1'.repeat(80)}`,
  ],
} as const;
type Type = keyof typeof VALUES;
const TYPES = Object.keys(VALUES) as Type[];

type Row = Partial<Record<Type, unknown>> & { at: number };
const nameOf = (type: Type) => type.replace('[]', 's');

const rows = copyTable<Row>('copied', {
  place: ['int', ({ at }) => at],
  ...Object.fromEntries(TYPES.map((type): [string, Column<Row>] => [`a_${nameOf(type)}`, [type, (row) => row[type]]])),
});

describe('rows by COPY', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createDatabase({ name: 'copy-binary' });
    source = await createDataSource({ url: database.ownerUrl, entities: [] }).initialize();
    await source.query(
      `CREATE TABLE copied (place int PRIMARY KEY CHECK (place < 1000000), ${TYPES.map((type) => `a_${nameOf(type)} ${type}`).join(', ')})`,
    );
  }, 60_000);
  beforeEach(() => source.query('TRUNCATE copied'));
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const add = (some: readonly Row[]) => inTransaction(source, (manager) => rows.add(manager, some));
  const stored = () => source.query<{ place: number }[]>('SELECT place FROM copied ORDER BY place');

  it.each(TYPES)('say what the texts of their values say: %s', async (type) => {
    const values: readonly unknown[] = [...VALUES[type], null, undefined];
    await add(values.map((value, at) => ({ at, [type]: value })));
    const column = `a_${nameOf(type)}`;
    for (const [at, value] of values.entries()) {
      const [read] = await source.query<{ same: boolean; as_text: string | null }[]>(
        `SELECT ${column}::text IS NOT DISTINCT FROM $1::${type}::text AS same, ${column}::text AS as_text FROM copied WHERE place = $2`,
        [value, at],
      );
      expect([value, read]).toEqual([value, { ...read, same: true }]);
    }
  });

  it('are all there when many are added at once, side by side', async () => {
    const count = 3_000;
    const some = (from: number) =>
      Array.from({ length: count }, (_, at) => ({ at: from + at, text: `${from + at} `.repeat(40), 'text[]': ['a'] }));
    await Promise.all([0, 1, 2].map((part) => add(some(part * count))));
    const [read] = await source.query<{ count: number; right: boolean }[]>(
      `SELECT count(*)::int AS count, bool_and(a_text = repeat(place || ' ', 40)) AS right FROM copied`,
    );
    expect(read).toEqual({ count: 3 * count, right: true });
  });

  it.each<[Type, unknown]>([
    ['text', {}],
    ['uuid', 'none'],
    ['bigint', 2 ** 53],
    ['bigint', '1'],
    ['boolean', 1],
    ['int', '1'],
    ['timestamptz', '2026-02-30T00:00:00.000Z'],
    ['numeric', '1e3'],
    ['numeric', 'NaN'],
    ['numeric', '1.'],
    ['json', { a: 1 }],
    ['text[]', 'a'],
    ['text[]', [{}]],
  ])('are not added where one value is not in the form of its type: %s %j', async (type, value) => {
    const many = Array.from({ length: 2_000 }, (_, at): Row => ({ at, text: 'x'.repeat(100) }));
    const adding = add([...many, { at: 2_001, [type]: value }]);
    await expect(adding).rejects.toThrow(`copied.a_${nameOf(type)}: a value is not in the form of its type`);
    expect(await stored()).toEqual([]);
  });

  it('are not added where Postgres refuses one, and the connection goes on', async () => {
    const many = Array.from({ length: 5_000 }, (_, at): Row => ({ at, text: 'x'.repeat(100) }));
    await expect(add([{ at: 1_000_000 }, ...many])).rejects.toMatchObject({ code: '23514' });
    await expect(add([...many, { at: 7 }])).rejects.toMatchObject({ code: '23505' });
    await expect(add([{ at: 1, json: '{' }])).rejects.toMatchObject({ code: '22P02' });
    await expect(add([{ at: 1, text: '\0' }])).rejects.toMatchObject({ code: '22021' });
    expect(await stored()).toEqual([]);
    await add([{ at: 1 }]);
    await add([]);
    expect(await stored()).toEqual([{ place: 1 }]);
    await expect(rows.add(source.manager, [{ at: 2 }])).rejects.toThrow('within a transaction');
  });

  it('are not added where the connection ends while they are sent, and another one goes on', async () => {
    const holder = source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('INSERT INTO copied (place) VALUES (7)');
    const many = Array.from({ length: 50_000 }, (_, at): Row => ({ at, text: 'x'.repeat(200) }));
    const adding = add(many).catch((error: unknown) => error);
    const waiting = async () =>
      source.query<{ ended: boolean }[]>(
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE query LIKE 'COPY copied%' AND wait_event_type = 'Lock'`,
      );
    while ((await waiting()).length === 0) await sleep(10);
    expect(isUnavailable(await adding)).toBe(true);
    await holder.rollbackTransaction();
    await holder.release();
    await add([{ at: 7 }]);
    expect(await stored()).toEqual([{ place: 7 }]);
  });

  it('have half a character replaced, as every text has', async () => {
    await add([{ at: 1, text: 'a\ud800b', 'text[]': ['\udc00'.repeat(100)] }]);
    const [read] = await source.query<object[]>('SELECT a_text, a_texts FROM copied');
    expect(read).toEqual({ a_text: 'a\ufffdb', a_texts: ['\ufffd'.repeat(100)] });
  });
});
