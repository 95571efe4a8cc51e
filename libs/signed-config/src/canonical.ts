import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A JSON object. */
export type JsonObject = { [member: string]: Json };

/** Whether a parsed JSON value is an object. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * The canonical text of a JSON value (JSON Canonicalization Scheme, RFC 8785): sorted members,
 * numbers and strings as ECMAScript writes them.
 * @throws Error for values without a canonical text: NaN, infinities, lone surrogates, cycles
 */
export function canonicalText(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value is not JSON');
  return text;
}

/** The UTF-8 bytes of the canonical text. Signatures and digests use them. */
export const canonicalBytes = (value: Json): Uint8Array => new TextEncoder().encode(canonicalText(value));

/** `sha256:` and the lower-case hexadecimal SHA-256 of the canonical text. */
export const computeDigest = (value: Json): string =>
  `sha256:${createHash('sha256').update(canonicalBytes(value)).digest('hex')}`;
