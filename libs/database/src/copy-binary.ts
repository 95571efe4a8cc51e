import type { EntityManager } from 'typeorm';
import { arrayWriter } from './array-binary.ts';
import {
  begin,
  NOT_WRITTEN,
  written,
  writeBigint,
  writeBoolean,
  writeBytes,
  writeCount,
  writeInstant,
  writeInt,
  writeNumeric,
  writeRaw,
  writeShort,
  writeText,
  writeUuid,
} from './binary-values.ts';
import { copyIn } from './copy-in.ts';
import { connectionOf } from './statement.ts';

/**
 * How values of a type are written: times as `Date` writes them, decimals and JSON as their texts,
 * bytes as such or as `\x` and hexadecimal digits. Every type must be the column's own: in this
 * format nothing is converted.
 */
const WRITERS = {
  text: writeText,
  uuid: writeUuid,
  int: writeInt,
  bigint: writeBigint,
  boolean: writeBoolean,
  bytea: writeBytes,
  timestamptz: writeInstant,
  numeric: writeNumeric,
  json: writeText,
  'text[]': arrayWriter('text'),
} as const;

/**
 * A column's type, and how its value is found in what becomes a row; null and undefined become
 * NULL.
 */
export type Column<Item> = readonly [type: keyof typeof WRITERS, value: (item: Item) => unknown];

/** The signature of the format, no flags, no extension of the header. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** Bytes that are sent at once, about. */
const CHUNK = 65_536;

/**
 * A table to which rows are added in bulk, by COPY in its binary format: Postgres reads values
 * without parsing text, plans nothing and writes page by page. Where one row cannot be added, none
 * is.
 */
export function copyTable<Item>(table: string, columns: Readonly<Record<string, Column<Item>>>) {
  const text = `COPY ${table} (${Object.keys(columns).join(', ')}) FROM STDIN (FORMAT binary)`;
  const fields = Object.entries(columns).map(([name, [type, value]]) => ({ name, write: WRITERS[type], value }));

  function* chunksOf(items: readonly Item[]) {
    let at = writeRaw(HEADER, begin());
    for (const item of items) {
      at = writeShort(fields.length, at);
      for (const { name, write, value } of fields) {
        const found = value(item);
        at = found === null || found === undefined ? writeCount(-1, at) : write(found, at);
        if (at === NOT_WRITTEN) throw new TypeError(`${table}.${name}: a value is not in the form of its type`);
      }
      if (at < CHUNK) continue;
      yield written(at);
      at = 0;
    }
    yield written(writeShort(-1, at));
  }

  return {
    /**
     * Adds rows in the transaction of `manager`.
     * @throws {Error} as Postgres refuses them; TypeError of a value that is not in the form of its
     * type
     */
    add: async (manager: EntityManager, items: readonly Item[]): Promise<void> => {
      // The pool would not know when a connection of its own is free again.
      if (manager.queryRunner === undefined) throw new Error('rows are copied within a transaction');
      if (items.length > 0) await copyIn(await connectionOf(manager), text, chunksOf(items));
    },
  };
}
