import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { type ColumnValue, type CopyValue, copyTable } from './copy-table.ts';
import { createDataSource } from './data-source.ts';
import { copyIn, getTransactionClient } from './driver.ts';
import { inTransaction } from './transaction.ts';
import { isUnavailable } from './unavailable.ts';

/** Values of each column type. */
const VALUES = {
  text: ['', 'a\tb\nc\r\\N\\.', '\\.', 'ä', '日本', '😀', 'x'.repeat(64), 'é'.repeat(40_000)],
  uuid: ['00000000-0000-0000-0000-000000000000', '01234567-89AB-cdef-0123-456789abcdeF'],
  int: [0, -1, 2_147_483_647, -2_147_483_648],
  bigint: [0, -1, 1, 4_294_967_296, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  boolean: [true, false],
  bytea: ['\\x', '\\x00ff'],
  timestamptz: ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-11-22T16:20:00.123Z'],
  json: ['{}', '{"b":[1,"ä\\u0000\\\\",null],  "a":1e400}', '"\\ud800"', `["${'é'.repeat(40_000)}"]`],
  'text[]': [[], ['a'], ['', 'NULL', '{,"\\', '\t\n', '日本'], Array.from({ length: 500 }, (_, at) => `group ${at}`)],
  numeric: ['0', '0.000000000', '-0.000000001', '123456789012.123456789', `${'9'.repeat(120)}.${'1'.repeat(80)}`],
} as const;
type Type = keyof typeof VALUES;
const TYPES = Object.keys(VALUES) as Type[];

type Row = Partial<Record<Type, CopyValue>> & { at: number };
const getColumnName = (type: Type) => type.replace('[]', 's');

const rows = copyTable<Row>('copied', {
  place: ({ at }) => at,
  ...Object.fromEntries(
    TYPES.map((type): [string, ColumnValue<Row>] => [`a_${getColumnName(type)}`, (row) => row[type]]),
  ),
});

describe('copyTable', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createDatabase({ name: 'copy-table' });
    source = await createDataSource({ url: database.ownerUrl, entities: [] }).initialize();
    await source.query(
      `CREATE TABLE copied (place int PRIMARY KEY CHECK (place < 1000000), ${TYPES.map((type) => `a_${getColumnName(type)} ${type}`).join(', ')})`,
    );
  }, 60_000);
  beforeEach(() => source.query('TRUNCATE copied'));
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const add = (some: readonly Row[]) => inTransaction(source, (manager) => rows.add(manager, some));
  const listStored = () => source.query<{ place: number }[]>('SELECT place FROM copied ORDER BY place');

  it.each(TYPES)('stores each value of the type %s exactly', async (type) => {
    const values: readonly CopyValue[] = [...VALUES[type], null, undefined];
    await add(values.map((value, at) => ({ at, [type]: value })));
    const column = `a_${getColumnName(type)}`;
    for (const [at, value] of values.entries()) {
      const [read] = await source.query<{ same: boolean; as_text: string | null }[]>(
        `SELECT ${column}::text IS NOT DISTINCT FROM $1::${type}::text AS same, ${column}::text AS as_text FROM copied WHERE place = $2`,
        [value, at],
      );
      expect([value, read]).toEqual([value, { ...read, same: true }]);
    }
  });

  it('stores all rows of large batches that run at the same time', async () => {
    const count = 3_000;
    const some = (from: number) =>
      Array.from({ length: count }, (_, at) => ({ at: from + at, text: `${from + at} `.repeat(40), 'text[]': ['a'] }));
    await Promise.all([0, 1, 2].map((part) => add(some(part * count))));
    const [read] = await source.query<{ count: number; right: boolean }[]>(
      `SELECT count(*)::int AS count, bool_and(a_text = repeat(place || ' ', 40)) AS right FROM copied`,
    );
    expect(read).toEqual({ count: 3 * count, right: true });
  });

  it.each<[string, Row, string]>([
    ['a check constraint', { at: 1_000_000 }, '23514'],
    ['the primary key', { at: 7 }, '23505'],
    ['the type json', { at: 6_000, json: '{' }, '22P02'],
    ['the type uuid', { at: 6_000, uuid: 'none' }, '22P02'],
    ['the type timestamptz', { at: 6_000, timestamptz: '2026-02-30T00:00:00.000Z' }, '22008'],
    ['the encoding', { at: 6_000, text: '\0' }, '22021'],
  ])('adds no row if one row breaks %s, and the connection stays usable', async (_, row, code) => {
    const many = Array.from({ length: 5_000 }, (_, at): Row => ({ at, text: 'x'.repeat(100) }));
    await expect(add([row, ...many])).rejects.toMatchObject({ code });
    await expect(add([...many, row])).rejects.toMatchObject({ code });
    expect(await listStored()).toEqual([]);
    await add([{ at: 1 }]);
    await add([]);
    expect(await listStored()).toEqual([{ place: 1 }]);
  });

  it('refuses to add rows outside a transaction', async () => {
    await expect(rows.add(source.manager, [{ at: 2 }])).rejects.toThrow('within a transaction');
  });

  it('reports a lost connection as unavailable, and other connections work', async () => {
    const holder = source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('INSERT INTO copied (place) VALUES (7)');
    const many = Array.from({ length: 50_000 }, (_, at): Row => ({ at, text: 'x'.repeat(200) }));
    const adding = add(many).catch((error: unknown) => error);
    const terminateWaiting = async () =>
      source.query<{ ended: boolean }[]>(
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE query LIKE 'COPY copied%' AND wait_event_type = 'Lock'`,
      );
    while ((await terminateWaiting()).length === 0) await sleep(10);
    expect(isUnavailable(await adding)).toBe(true);
    await holder.rollbackTransaction();
    await holder.release();
    await add([{ at: 7 }]);
    expect(await listStored()).toEqual([{ place: 7 }]);
  });

  it('replaces unpaired surrogates by U+FFFD', async () => {
    await add([{ at: 1, text: 'a\ud800b', 'text[]': ['\udc00'.repeat(100)] }]);
    const [read] = await source.query<object[]>('SELECT a_text, a_texts FROM copied');
    expect(read).toEqual({ a_text: 'a\ufffdb', a_texts: ['\ufffd'.repeat(100)] });
  });

  it('adds no row if the source of the rows fails', async () => {
    const failing = Readable.from(
      (function* () {
        yield '1\n'.repeat(10);
        throw new Error('the source failed');
      })(),
    );
    const copying = inTransaction(source, async (manager) => {
      const client = await getTransactionClient(manager);
      await copyIn(client!, 'COPY copied (place) FROM STDIN', failing);
    });
    await expect(copying).rejects.toThrow('the source failed');
    await add([{ at: 3 }]);
    expect(await listStored()).toEqual([{ place: 3 }]);
  });
});
