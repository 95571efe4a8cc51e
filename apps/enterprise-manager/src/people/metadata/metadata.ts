import { isRawNumber } from '@gatehouse/service-kit/exact-json';

/** Most bytes of a document's JSON text (UTF-8, no blanks; RFC 8785 writes as many). */
export const MAX_METADATA_BYTES = 64 * 1024;

/** Deepest nesting; the document itself is level one. */
const MAX_LEVELS = 16;

/** Most keys of all its objects together. */
const MAX_KEYS = 1_000;

/** What metadata can belong to. */
export type EntityKind = 'user' | 'group';

/** Bytes of a document as it is kept. */
export const bytesOf = (document: object): number => Buffer.byteLength(JSON.stringify(document));

/** The size that a document must not have: nested too deep, or with too many keys. */
export function excessOf(document: object): string | undefined {
  let keys = 0;
  const look = (value: unknown, levels: number): string | undefined => {
    if (value === null || typeof value !== 'object' || isRawNumber(value)) return undefined;
    if (levels > MAX_LEVELS) return `is nested deeper than ${MAX_LEVELS} levels`;
    keys += Array.isArray(value) ? 0 : Object.keys(value).length;
    if (keys > MAX_KEYS) return `has more than ${MAX_KEYS.toLocaleString('en')} keys`;
    for (const part of Object.values(value)) {
      const excess = look(part, levels + 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  };
  return look(document, 1);
}
