/** What an array may hold to be written here. */
type Element = string | number | boolean | null | undefined;

/** What needs no quotes in an array: no brace, comma, quote, backslash or space, not empty, not NULL. */
const PLAIN = /^(?!null$)[\w.:+/@-]+$/i;

/**
 * A parameter as the driver may get it. An array is written as Postgres reads it: the driver can do that too, with every element escaped; here the usual ones
 * (ids, times, numbers, names) pass as they are, which for batches of thousands is most of the work. All other values stay the driver's.
 */
export const parameterOf = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isElement) ? `{${value.map(elementText).join(',')}}` : value;

const isElement = (value: unknown): value is Element =>
  value === null ||
  value === undefined ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean';

function elementText(value: Element): string {
  if (value === null || value === undefined) return 'NULL';
  const text = String(value);
  return PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
