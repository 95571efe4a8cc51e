/** The maximum length of a value in bytes of UTF-8: 64 KiB. */
export const MAX_VALUE_BYTES = 64 * 1024;

/**
 * The place of a secret in a request header: the whole value of a header, or the bearer token (RFC
 * 6750) after the word `Bearer`.
 */
export type HeaderUse = 'header' | 'bearer';

/**
 * The encryption context of a secret's value. A value of another secret or of another version
 * cannot be opened in it.
 */
export const getContext = ({ id, version }: { id: string; version: number }): string =>
  `managed_secret:${id}:${version}`;

/**
 * Explains why a value cannot be sent in a header (RFC 9110 section 5.5); undefined when it can.
 * The explanation describes only the form of the value. The most common problem is a newline at the
 * end, from a file.
 */
export function findHeaderProblem(value: string, use: HeaderUse): string | undefined {
  if (/^\s|\s$/.test(value)) return 'begins or ends with a space or a newline';
  if (use === 'bearer' && /^bearer\s/i.test(value)) return 'begins with "Bearer", which is added automatically';
  const allowed = use === 'bearer' ? /^[\x21-\x7e]+$/ : /^[\x20-\x7e\t]+$/;
  return allowed.test(value) ? undefined : 'contains characters that are not allowed in a header';
}
