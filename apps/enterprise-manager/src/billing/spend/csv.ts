/** The type of an export (RFC 4180, section 3). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * A field that a spreadsheet would run as a formula, with or without apostrophes in front.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/u;

/**
 * Formats a line of CSV (RFC 4180) with its line break. A text that a spreadsheet would run as a
 * formula gets one apostrophe in front. A text that begins with apostrophes and such a character
 * gets one more, so that a reader restores every field by removing one apostrophe.
 */
export const formatCsvLine = (fields: readonly string[]): string => `${fields.map(formatCsvField).join(',')}\r\n`;

function formatCsvField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
