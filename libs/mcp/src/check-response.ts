import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { exceededLimit, JsonCounter, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { type ByteRange, JsonReader, JsonSyntaxError } from '@gatehouse/json-limits/json-reader';
import { concatBytes } from './bytes.ts';
import type { ResponseLimits } from './response-limits.ts';
import { CONTENTS, isContentItem, isListEntry, LISTS, type ListMember } from './response-items.ts';

/** The bytes to parse, perhaps with a shorter list, or the exceeded limit in a few words. */
export type CheckResult = { readonly bytes: Uint8Array; readonly isReduced: boolean } | { readonly excess: string };

/** Ends the walk through a response. The message names the exceeded limit. */
class ExcessError extends GatehouseError {
  override readonly code = 'excess';
}

/** Nesting levels around a list entry: the message, its result, the list. */
const LEVELS_AROUND_ENTRY = 3;
/** Values and bytes that a reduced list leaves for the rest of its message. */
export const MESSAGE_RESERVE = { values: 1_000, bytes: 64 * 1024 };

/**
 * Checks a JSON-RPC message on its bytes. Accepted messages can be parsed and validated in bounded
 * time. A list that exceeds the limits is cut and loses invalid entries; all other messages that
 * exceed the limits are refused.
 */
export function checkMessage(bytes: Uint8Array, limits: ResponseLimits): CheckResult {
  try {
    const reduced = reduceList(bytes, limits);
    const checked = reduced ?? bytes;
    const excess = findExcess(checked, limits);
    return excess === undefined ? { bytes: checked, isReduced: reduced !== undefined } : { excess };
  } catch (error) {
    if (error instanceof ExcessError) return { excess: error.message };
    if (error instanceof JsonSyntaxError) return { excess: NOT_JSON };
    throw error;
  }
}

const LIMIT_NOUNS: Readonly<Record<keyof JsonLimits, string>> = {
  nodes: 'values',
  keys: 'keys',
  depth: 'levels',
  members: 'members in one object',
};

function findExcess(bytes: Uint8Array, { parsedBytes, json }: ResponseLimits): string | undefined {
  if (bytes.length > parsedBytes) return `more than ${parsedBytes} bytes`;
  const exceeded = exceededLimit(bytes, json);
  return exceeded && `more than ${json[exceeded]} ${LIMIT_NOUNS[exceeded]}`;
}

interface FoundList {
  /** The list with its brackets. */
  range: ByteRange;
  kept: readonly ByteRange[];
  isCut: boolean;
}

/** @returns the message with a shorter list, or undefined when the list is complete */
function reduceList(bytes: Uint8Array, limits: ResponseLimits): Uint8Array | undefined {
  const reader = new JsonReader(bytes);
  const lists: FoundList[] = [];
  if (reader.isList) {
    for (const place of reader.items()) {
      if (place >= limits.contentItems) throw new ExcessError(`more than ${limits.contentItems} messages`);
      lists.push(...findLists(bytes, reader, limits));
    }
  } else lists.push(...findLists(bytes, reader, limits));
  reader.end();
  const [list, another] = lists.filter(({ isCut }) => isCut);
  if (list === undefined) return undefined;
  if (another !== undefined) throw new ExcessError('more than one list beyond the limits');
  const { range, kept } = list;
  const pieces: Uint8Array[] = [bytes.subarray(0, range.start + 1)];
  for (const [place, { start, end }] of kept.entries()) {
    if (place > 0) pieces.push(COMMA);
    pieces.push(bytes.subarray(start, end));
  }
  pieces.push(bytes.subarray(range.end - 1));
  return concatBytes(
    pieces,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
}

const utf8 = new TextDecoder();
/** The excess of a text that is not JSON. */
export const NOT_JSON = 'a text that is not JSON';
const COMMA = new TextEncoder().encode(',');

/** A function, because the compiler would narrow the property although the reader moves on. */
const startsObject = (reader: JsonReader): boolean => reader.isObject;

function findLists(bytes: Uint8Array, reader: JsonReader, limits: ResponseLimits): FoundList[] {
  const found: FoundList[] = [];
  if (!startsObject(reader)) return found;
  for (const key of reader.members()) {
    if (!(key === 'result' || key === 'params') || !startsObject(reader)) continue;
    for (const member of reader.members()) {
      if (!reader.isList) continue;
      if (CONTENTS.has(member)) checkContents(bytes, reader, key === 'result' ? member : 'sampling', limits);
      else if (LISTS.has(member) && key === 'result') found.push(readList(bytes, reader, member as ListMember, limits));
    }
  }
  return found;
}

function checkContents(bytes: Uint8Array, reader: JsonReader, member: string, limits: ResponseLimits): void {
  for (const place of reader.items()) {
    if (place >= limits.contentItems) throw new ExcessError(`more than ${limits.contentItems} items of content`);
    const range = reader.skip();
    if (range.end - range.start <= limits.itemBytes && !isContentItem(member, parseRange(bytes, range, limits)))
      throw new ExcessError(`content that is not valid`);
  }
}

function readList(bytes: Uint8Array, reader: JsonReader, member: ListMember, limits: ResponseLimits): FoundList {
  const { json } = limits;
  const start = reader.position;
  const kept: ByteRange[] = [];
  let cutAt: number | undefined;
  let [values, keys, size] = [0, 0, 0];
  for (const place of reader.items()) {
    const isObject = startsObject(reader);
    const range = reader.skip();
    const length = range.end - range.start;
    const counter = new JsonCounter({ ...json, depth: json.depth - LEVELS_AROUND_ENTRY });
    const isAcceptable =
      isObject &&
      kept.length < limits.listItems &&
      length <= limits.itemBytes &&
      size + length + 1 <= limits.parsedBytes - MESSAGE_RESERVE.bytes &&
      counter.push(bytes, range.start, range.end) === undefined &&
      values + counter.counts.nodes <= json.nodes - MESSAGE_RESERVE.values &&
      keys + counter.counts.keys <= json.keys - MESSAGE_RESERVE.values &&
      isListEntry(member, parseRange(bytes, range, limits));
    if (isAcceptable) {
      kept.push(range);
      values += counter.counts.nodes;
      keys += counter.counts.keys;
      size += length + 1;
    } else cutAt ??= place;
  }
  return { range: { start, end: reader.position }, kept, isCut: cutAt !== undefined };
}

/** @returns the value of a range, or undefined when it is not JSON or exceeds the limits */
function parseRange(bytes: Uint8Array, { start, end }: ByteRange, { json }: ResponseLimits): unknown {
  const range = bytes.subarray(start, end);
  if (exceededLimit(range, json) !== undefined) return undefined;
  try {
    return JSON.parse(utf8.decode(range));
  } catch {
    return undefined;
  }
}
