import { Readable } from 'node:stream';
import type { EntityManager } from 'typeorm';
import { copyIn, getTransactionClient, toArrayText } from './driver.ts';

/** The value of a column for an item. Null and undefined become NULL. */
export type ColumnValue<Item> = (item: Item) => CopyValue;

/** Values whose text Postgres reads: times and decimals as text, JSON as its text. */
export type CopyValue = string | number | boolean | readonly string[] | null | undefined;

/** Approximate length of a chunk, in UTF-16 code units. */
const CHUNK_LENGTH = 65_536;

/**
 * A table with bulk inserts by COPY, in its text format. Postgres converts each text to the type of
 * its column. If Postgres refuses one row, it adds no row.
 */
export function copyTable<Item>(table: string, columns: Readonly<Record<string, ColumnValue<Item>>>) {
  const sql = `COPY ${table} (${Object.keys(columns).join(', ')}) FROM STDIN`;
  const values = Object.values(columns);
  const toLine = (item: Item): string => `${values.map((value) => toField(value(item))).join('\t')}\n`;
  return {
    /**
     * Adds rows in the transaction of `manager`.
     * @throws {Error} if Postgres refuses a row, or if `manager` has no transaction
     */
    add: async (manager: EntityManager, items: readonly Item[]): Promise<void> => {
      const client = await getTransactionClient(manager);
      if (client === undefined) throw new Error(`rows of ${table} are copied within a transaction`);
      if (items.length > 0) await copyIn(client, sql, Readable.from(joinLines(items, toLine)));
    },
  };
}

function* joinLines<Item>(items: readonly Item[], toLine: (item: Item) => string): Generator<string> {
  let chunk = '';
  for (const item of items) {
    chunk += toLine(item);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** The characters that the text format of COPY escapes. */
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function toField(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : toArrayText(value);
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
