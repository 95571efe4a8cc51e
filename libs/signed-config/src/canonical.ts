import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A JSON object. */
export type JsonObject = { [member: string]: Json };

/**
 * The one text of a JSON value (JSON Canonicalization Scheme, RFC 8785): members sorted, numbers
 * and strings as ECMAScript writes them.
 * @throws Error for what has no such text: NaN, infinities, halves of surrogate pairs, circles
 */
export function canonicalText(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value is not JSON');
  return text;
}

/** The UTF-8 bytes of the canonical text: what is signed and digested. */
export const canonicalBytes = (value: Json): Uint8Array => new TextEncoder().encode(canonicalText(value));

/** `sha256:` and the lower-case hexadecimal SHA-256 of the canonical text. */
export const digestOf = (value: Json): string =>
  `sha256:${createHash('sha256').update(canonicalBytes(value)).digest('hex')}`;
