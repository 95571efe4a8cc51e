import {
  begin,
  NOT_WRITTEN,
  written,
  writeBigint,
  writeBytes,
  writeCount,
  writeDate,
  writeInstant,
  writeInt,
  writeText,
  writeUuid,
} from './binary-values.ts';

/**
 * Types of elements that are written in the binary format, by their names in a cast, with the ids
 * that Postgres has given them for good.
 */
const TYPES = {
  text: { id: 25, write: writeText },
  uuid: { id: 2950, write: writeUuid },
  int: { id: 23, write: writeInt },
  integer: { id: 23, write: writeInt },
  bigint: { id: 20, write: writeBigint },
  bytea: { id: 17, write: writeBytes },
  date: { id: 1082, write: writeDate },
  timestamptz: { id: 1184, write: writeInstant },
} as const;
export type ElementType = keyof typeof TYPES;

/**
 * Which parameters of a statement are arrays of such elements: those that have the same cast
 * wherever they stand, as `$1::uuid[]`.
 */
export function arrayTypesOf(statement: string): (ElementType | undefined)[] {
  const casts = new Map<number, Set<string>>();
  for (const [, number, cast = ''] of statement.matchAll(/\$(\d+)(?:::(\w+)\[\])?/g)) {
    const at = Number(number) - 1;
    casts.set(at, (casts.get(at) ?? new Set()).add(cast));
  }
  const types: (ElementType | undefined)[] = [];
  for (const [at, [cast = '', ...others]] of casts) if (others.length === 0 && isType(cast)) types[at] = cast;
  return types;
}

const isType = (cast: string): cast is ElementType => Object.hasOwn(TYPES, cast);

/**
 * Bytes before the elements: dimensions, whether some are null, type, number of elements, where
 * they begin to count.
 */
const HEADER = 20;

/**
 * An array as Postgres receives it in its binary format (`array_recv`). Reading its text takes the
 * server much longer: of a UUID or a time three times as long as everything else that a batch's
 * parameter costs it.
 * @returns undefined where an element is not in the usual form of its type: then the text has to
 * say it
 */
export function binaryArray(type: ElementType, elements: readonly unknown[]): Buffer | undefined {
  const end = writeElements(type, elements, begin());
  return end === NOT_WRITTEN ? undefined : Buffer.from(written(end));
}

/** The writer of an array as the value of a column. */
export const arrayWriter =
  (type: ElementType) =>
  (value: unknown, at: number): number => {
    const end = Array.isArray(value) ? writeElements(type, value as unknown[], at + 4) : NOT_WRITTEN;
    if (end !== NOT_WRITTEN) writeCount(end - at - 4, at);
    return end;
  };

function writeElements(type: ElementType, elements: readonly unknown[], at: number): number {
  const { id, write } = TYPES[type];
  let end = at + HEADER;
  let nulls = 0;
  for (const element of elements) {
    if (element === null || element === undefined) {
      end = writeCount(-1, end);
      nulls = 1;
    } else {
      end = write(element, end);
      if (end === NOT_WRITTEN) return NOT_WRITTEN;
    }
  }
  let place = at;
  const header = elements.length === 0 ? [0, 0, id] : [1, nulls, id, elements.length, 1];
  for (const number of header) place = writeCount(number, place);
  return elements.length === 0 ? place : end;
}
