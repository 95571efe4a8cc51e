/**
 * Returns the first text after all texts with a prefix, in the order of collation C (the bytes of
 * UTF-8, which is the order of code points). A prefix is so a range of an index.
 * @returns undefined when no text follows
 */
export function getPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Surrogates are not characters: U+E000 follows U+D7FF.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/** Compares texts in the order of collation C. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
