/** Most characters of a text that are read, and of one term. */
const MAX_TEXT = 2_000;
const MAX_TERM = 32;

/** A plural of at least four letters; `s` at the end of all terms is left out alike. */
const PLURAL = /^.{2,}[^s]s$/u;

/** Scripts that separate no words by spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Splits a text into terms in lower case: words without the plural `s`, and the parts of names such
 * as `create_issue` and `createIssue`. Only the beginning of a long text is read.
 */
export function splitTerms(text: string): string[] {
  const separated = text
    .slice(0, MAX_TEXT)
    .replaceAll(/(?<=\p{Ll}|\p{N})(?=\p{Lu})/gu, ' ')
    .normalize('NFKC')
    .toLowerCase();
  const terms = UNSPACED.test(separated)
    ? [...WORDS.segment(separated)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
    : (separated.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  return terms.map((term) => (PLURAL.test(term) ? term.slice(0, -1) : term).slice(0, MAX_TERM));
}
