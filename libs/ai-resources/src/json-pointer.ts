/** Formats a path of names of members and indexes of items as a JSON pointer (RFC 6901). */
export const formatPointer = (path: readonly (string | number)[]): string =>
  path.map((segment) => `/${escapeSegment(String(segment))}`).join('');

/** Splits a JSON pointer (RFC 6901) into its segments. */
export const splitPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Escapes a segment of a JSON pointer (RFC 6901, section 3). */
export const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
