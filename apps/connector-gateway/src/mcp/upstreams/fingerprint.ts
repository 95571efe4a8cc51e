import { hash } from 'node:crypto';

/**
 * The JSON Canonicalization Scheme of RFC 8785 for values that came out of `JSON.parse`: keys
 * sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript writes them. The
 * package `canonicalize` throws for lone surrogates. Arguments of callers and definitions of
 * servers can contain them, so this function writes them as JSON escapes instead.
 */
export function serializeCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serializeCanonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${serializeCanonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** Lower-case hex SHA-256 over the canonical JSON of a value. */
export function computeFingerprint(value: unknown): string {
  return hash('sha256', serializeCanonicalJson(value), 'hex');
}

/**
 * The version of a tool definition: the first 12 hex digits of the fingerprint of the definition as
 * the caller saw it.
 */
export function computeDefinitionVersion(definition: unknown): string {
  return computeFingerprint(definition).slice(0, 12);
}
