/** Longest value in bytes of UTF-8: 64 KiB. */
export const MAX_VALUE_BYTES = 64 * 1024;

/**
 * How a secret goes out in a request: as the whole value of a header, or as a bearer token (RFC
 * 6750) after the word `Bearer`.
 */
export type HeaderUse = 'header' | 'bearer';

/**
 * The place of a secret's value; a value of another secret, or of another version, does not open
 * there.
 */
export const contextOf = ({ id, version }: { id: string; version: number }): string =>
  `managed_secret:${id}:${version}`;

/**
 * Why a value cannot go out in a header (RFC 9110 section 5.5), or undefined when it can. The
 * answer says nothing about the value but its form. A value that ends in a newline is the usual
 * case: it was read from a file.
 */
export function headerProblem(value: string, use: HeaderUse): string | undefined {
  if (/^\s|\s$/.test(value)) return 'begins or ends with a blank or a newline';
  if (use === 'bearer' && /^bearer\s/i.test(value)) return 'begins with "Bearer", which is put before it anyway';
  const allowed = use === 'bearer' ? /^[\x21-\x7e]+$/ : /^[\x20-\x7e\t]+$/;
  return allowed.test(value) ? undefined : 'holds characters that a header cannot carry';
}
