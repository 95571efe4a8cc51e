/**
 * The first text after all that begin with a prefix, in the order of bytes (collation C of UTF-8,
 * which is that of code points); undefined where nothing comes after them. With it a prefix is a
 * range of an index.
 */
export function getPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Surrogates are no characters: what follows U+D7FF is U+E000.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/** Compares texts as collation C does. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
