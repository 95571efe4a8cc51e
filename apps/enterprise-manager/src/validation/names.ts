/**
 * The form under which two texts count as the same name: Unicode compatibility form, case folded,
 * without invisible characters, single blanks. Upper case first and lower case after it is the full
 * case folding that JavaScript has no function for (`ß` and `SS` meet).
 */
export const comparisonKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();

/**
 * The short name of a group, made from its display name: the comparison form with a hyphen for each
 * run of anything but letters, marks and digits. A display name without any of these (an emoji, a
 * sign) gives `group`.
 */
export const groupName = (displayName: string): string =>
  comparisonKey(displayName)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'group';

/** Whether a name has a character that is neither blank nor invisible. */
export const hasVisibleCharacter = (text: string): boolean => comparisonKey(text) !== '';

/**
 * What `search` looks in: the comparison forms of all given texts, one a line, so that a needle
 * never matches across two of them.
 */
export const searchKey = (...texts: (string | null | undefined)[]): string =>
  texts
    .filter((text) => text !== null && text !== undefined)
    .map(comparisonKey)
    .join('\n');

/** A LIKE pattern that finds the text anywhere in a search key, taken literally. */
export const containing = (search: string): string => `%${comparisonKey(search).replace(/[\\%_]/g, '\\$&')}%`;
