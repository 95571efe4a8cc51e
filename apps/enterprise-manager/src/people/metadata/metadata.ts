import { isRawNumber } from '@gatehouse/service-kit/exact-json';

/** Maximum size of a document's JSON text in bytes (UTF-8, without whitespace). */
export const MAX_METADATA_BYTES = 64 * 1024;

/** Maximum nesting; the document itself is level 1. */
const MAX_LEVELS = 16;

/** Maximum number of keys of all objects of a document together. */
const MAX_KEYS = 1_000;

/** The kinds of entities that can have metadata. */
export type EntityKind = 'user' | 'group';

/** Size of a stored document in bytes. */
export const countBytes = (document: object): number => Buffer.byteLength(JSON.stringify(document));

/** Describes a limit that a document exceeds: nesting or number of keys. */
export function findExceededLimit(document: object): string | undefined {
  let keys = 0;
  const visit = (value: unknown, levels: number): string | undefined => {
    if (value === null || typeof value !== 'object' || isRawNumber(value)) return undefined;
    if (levels > MAX_LEVELS) return `is nested deeper than ${MAX_LEVELS} levels`;
    keys += Array.isArray(value) ? 0 : Object.keys(value).length;
    if (keys > MAX_KEYS) return `has more than ${MAX_KEYS.toLocaleString('en')} keys`;
    for (const part of Object.values(value)) {
      const exceeded = visit(part, levels + 1);
      if (exceeded !== undefined) return exceeded;
    }
    return undefined;
  };
  return visit(document, 1);
}
