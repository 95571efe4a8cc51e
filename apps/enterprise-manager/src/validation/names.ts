/**
 * Converts a text to the form in which names are compared: Unicode compatibility form (NFKC), case
 * folded, without invisible characters, with single blanks. JavaScript has no full case folding;
 * upper case followed by lower case has its effect (`ß` equals `SS`). The capital `ẞ` has no other
 * upper case, so that lower case comes first.
 */
export const toComparisonKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();

/**
 * Derives the name of a group from its display name: the comparison form, in which a hyphen
 * replaces each run of other characters than letters, marks and digits. A display name without
 * these, for example an emoji, gives `group`.
 */
export const deriveGroupName = (displayName: string): string =>
  toComparisonKey(displayName)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'group';

/** Whether a name has a character that is not blank and not invisible. */
export const hasVisibleCharacter = (text: string): boolean => toComparisonKey(text) !== '';

/**
 * Builds the text in which `search` looks: the comparison forms of all texts, one in each line. So
 * a search text never matches across two of them.
 */
export const buildSearchKey = (...texts: (string | null | undefined)[]): string =>
  texts
    .filter((text) => text !== null && text !== undefined)
    .map(toComparisonKey)
    .join('\n');

/** Returns the LIKE pattern that finds the literal text anywhere in a search key. */
export const toLikePattern = (search: string): string => `%${toComparisonKey(search).replace(/[\\%_]/g, '\\$&')}%`;
