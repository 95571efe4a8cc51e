import { type ElementType, binaryArray } from './array-binary.ts';

/**
 * What needs no quotes in an array: no brace, comma, quote, backslash or space, not empty, not
 * NULL.
 */
const PLAIN = /^(?!null$)[\w.:+/@-]+$/i;

/**
 * A parameter as the driver may get it. An array is written in the binary format where its type is
 * known to this, and where it is not, but has only texts and numbers, as the text that Postgres
 * reads: the driver can do that too, with every element escaped; here the usual ones (ids, times,
 * names) pass as they are, which for batches of thousands is most of the work. All other values
 * stay the driver's.
 * @param type of an array's elements
 */
export function parameterOf(value: unknown, type?: ElementType): unknown {
  if (!Array.isArray(value)) return value;
  const binary = type && binaryArray(type, value as unknown[]);
  if (binary !== undefined) return binary;
  let text = '';
  for (const element of value as unknown[]) {
    const written = elementText(element);
    if (written === undefined) return value;
    text += text === '' ? written : `,${written}`;
  }
  return `{${text}}`;
}

function elementText(element: unknown): string | undefined {
  if (typeof element === 'string') return PLAIN.test(element) ? element : `"${element.replace(/["\\]/g, '\\$&')}"`;
  if (typeof element === 'number') return String(element);
  return element === null ? 'NULL' : undefined;
}
