/** The type of an export (RFC 4180, section 3). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * A field that a spreadsheet would take for a formula, also behind apostrophes that were put there
 * against just that.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/u;

/**
 * A line of CSV (RFC 4180), with its line break. A text that a spreadsheet would run as a formula
 * gets one apostrophe in front, which keeps it a text; so does one that begins with apostrophes and
 * such a character, so that whoever takes one apostrophe off those again has what was there. All
 * others are unchanged.
 */
export const csvLine = (fields: readonly string[]): string => `${fields.map(csvField).join(',')}\r\n`;

function csvField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
