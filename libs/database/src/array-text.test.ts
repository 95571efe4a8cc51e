import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import pg from 'pg';
import { parameterOf } from './array-text.ts';

describe('an array as a parameter', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createDatabase({ name: 'array-text' });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const read = async (value: unknown, type: string) =>
    (await client.query<{ is: unknown }>(`SELECT $1::${type} AS is`, [parameterOf(value)])).rows[0]?.is;

  it('arrives as it was, whatever text is in it', async () => {
    const texts = [
      ...[
        '',
        ' ',
        'plain',
        'null',
        'NULL',
        'Null',
        'nullable',
        '{}',
        '{',
        '}',
        ',',
        '"',
        '""',
        '\\',
        '\\\\',
        '\\"',
        "'",
        '$1',
      ],
      ...[
        'a b',
        ' a',
        'a ',
        'a\tb',
        'a\nb',
        'ä',
        '日本',
        '😀',
        '2026-01-01T00:00:00.000Z',
        '-1',
        '{"a":"b\\n\\"c\\""}',
        'x'.repeat(9_000),
      ],
    ];
    expect(await read(texts, 'text[]')).toEqual(texts);
    expect(await read([], 'text[]')).toEqual([]);
    expect(await read([null, undefined, 'a'], 'text[]')).toEqual([null, null, 'a']);
    for (const text of texts) expect(await read([text], 'text[]')).toEqual([text]);
  });

  it('arrives as it was for numbers, booleans and what the driver writes itself', async () => {
    expect(await read([0, -1, 1.5, 1e21, 1e-7], 'float8[]')).toEqual([0, -1, 1.5, 1e21, 1e-7]);
    expect(await read([true, false, null], 'bool[]')).toEqual([true, false, null]);
    expect(await read([Buffer.from([0, 255])], 'bytea[]')).toEqual([Buffer.from([0, 255])]);
    expect(
      await read(
        [
          ['a', 'b'],
          ['c', null],
        ],
        'text[]',
      ),
    ).toEqual([
      ['a', 'b'],
      ['c', null],
    ]);
    expect(await read('a,b', 'text')).toBe('a,b');
    expect(await read(null, 'text[]')).toBeNull();
  });
});
