import type { z } from 'zod';

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

/** Reports what a document may not be: nested too deep, with too many keys, or with a number that JSON can write and not everybody can read. */
export function checkDocument(document: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  let keys = 0;
  const refuse = (message: string, path: string[]) => context.addIssue({ code: 'custom', message, path });
  const look = (value: unknown, path: string[]): boolean => {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      refuse('is a number that is out of range', path);
      return false;
    }
    // RFC 7493 §2.2: what is larger would come back as another number than the one that was put.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      refuse('is a whole number beyond 2^53, which would not be kept exactly; put it as text', path);
      return false;
    }
    if (value === null || typeof value !== 'object') return true;
    if (path.length >= MAX_LEVELS) {
      refuse(`is nested deeper than ${MAX_LEVELS} levels`, path.slice(0, 3));
      return false;
    }
    keys += Array.isArray(value) ? 0 : Object.keys(value).length;
    if (keys > MAX_KEYS) {
      refuse(`has more than ${MAX_KEYS.toLocaleString('en')} keys`, []);
      return false;
    }
    return Object.entries(value).every(([key, part]) => look(part, [...path, key]));
  };
  look(document, []);
}
