import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import pg from 'pg';
import { type ElementType, arrayTypesOf, binaryArray } from './array-binary.ts';
import { parameterOf } from './array-text.ts';

describe('the type of a parameter', () => {
  it('is that of its cast, where it has the same one everywhere', () => {
    expect(arrayTypesOf('SELECT unnest($1::uuid[], $2::text[]) WHERE a = ANY ($1::uuid[])')).toEqual(['uuid', 'text']);
    expect(arrayTypesOf('SELECT $3, $2::int[], $1::timestamptz[]')).toEqual(['timestamptz', 'int']);
    expect(arrayTypesOf('SELECT $1::uuid[], $1::text[], $2::uuid[], $2, $3::uuid, $4::numeric[], $5')).toEqual([]);
    expect(arrayTypesOf(`SELECT ${Array.from({ length: 12 }, (_, at) => `$${at + 1}::date[]`).join()}`)).toHaveLength(
      12,
    );
  });
});

describe('an array in the binary format', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase({ name: 'array-binary' });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`SET timezone TO 'Asia/Kathmandu'`);
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** The elements as Postgres writes them, which does not depend on who reads them. */
  const shown = async (type: string, parameter: unknown) =>
    (await client.query<{ is: unknown }>(`SELECT ($1::${type}[])::text AS is`, [parameter])).rows[0]?.is;

  const usual: Record<ElementType, unknown[]> = {
    text: [
      '',
      ' ',
      'plain',
      'NULL',
      '{},"\\',
      'ä',
      '日本',
      '😀',
      'a\tb\n',
      'x'.repeat(64),
      'y'.repeat(9_000),
      'é'.repeat(70_000),
      7,
    ],
    uuid: [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '01234567-89AB-cdef-0123-456789abcdeF',
    ],
    int: [0, 1, -1, 255, 256, 65_536, 2_147_483_647, -2_147_483_648],
    integer: [5],
    bigint: [0, -1, 4_294_967_296, -4_294_967_297, Number.MAX_SAFE_INTEGER],
    bytea: ['\\x', '\\x00ff', '\\xdeADbeef', Buffer.from([0, 1, 254, 255]), Buffer.alloc(0)],
    date: ['2026-11-22', '2000-01-01', '1999-12-31', '2024-02-29', '0001-01-01', '9999-12-31', '2024-02-29'],
    timestamptz: [
      ...[
        '2026-11-22T16:20:00.123Z',
        '2000-01-01T00:00:00.000Z',
        '1999-12-31T23:59:59.999Z',
        '1969-12-31T23:59:59.999Z',
      ],
      ...[
        '1970-01-01T00:00:00.000Z',
        '2285-01-01T23:59:59.999Z',
        '9999-12-31T23:59:59.999Z',
        '0001-01-01T00:00:00.000Z',
        '2026-11-22T16:20:00.123Z',
      ],
    ],
  };

  it.each(Object.entries(usual))('is what the text of it is: %s', async (type, elements) => {
    for (const some of [elements, [null, ...elements, undefined, null], [null], [], ...elements.map((one) => [one])]) {
      const binary = binaryArray(type as ElementType, some);
      expect(binary).toBeInstanceOf(Buffer);
      expect(await shown(type, binary)).toBe(await shown(type, parameterOf(some)));
    }
  });

  it.each<[ElementType, unknown[]]>([
    ['text', [{}, true, ['a'], 1n]],
    ['uuid', ['', 'a', '0123456789abcdef0123456789abcdef', '{01234567-89ab-cdef-0123-456789abcdef}', 1]],
    [
      'uuid',
      [
        '01234567-89ab-cdef-0123-456789abcdeg',
        '01234567_89ab-cdef-0123-456789abcdef',
        '01234567-89ab-cdef-0123-456789abcdeŁ',
      ],
    ],
    ['int', ['1', 1.5, 2_147_483_648, NaN, Infinity, true]],
    ['bytea', ['', 'x00', '\\x0', '\\x0g', '\\000', 1]],
    [
      'date',
      ['', '2026-02-29', '2026-1-1', '0000-01-01', 'infinity', 'today', '2026-01-01T00:00:00Z', '+02026-01-01', 1],
    ],
    [
      'timestamptz',
      [
        '2026-02-29T00:00:00.000Z',
        '2026-01-01T24:00:00.000Z',
        '2026-01-01T00:00:00Z',
        '2026-01-01T00:00:00.000+00',
        '',
        1,
      ],
    ],
    ['timestamptz', ['0000-01-01T00:00:00.000Z', '2026-01-01T00:00:00.0001Z', '2026-01-01 00:00:00.000Z', new Date(0)]],
  ])('is left to the text where an element of %s is unusual', (type, elements) => {
    for (const element of elements) {
      expect(binaryArray(type, [element])).toBeUndefined();
      expect(binaryArray(type, [null, ...(usual[type] as []), element])).toBeUndefined();
    }
  });

  it('is not changed by what is written after it', () => {
    const first = binaryArray('int', [1, 2]);
    const copy = first && Buffer.from(first);
    binaryArray('int', [3, 4]);
    expect(first).toEqual(copy);
  });
});
