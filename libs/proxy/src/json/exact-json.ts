/** A number in its own text, which `JSON.stringify` writes unchanged. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

const json = JSON as unknown as ExactJson;

/** Texts without such digits have no number that a double changes. */
const INEXACT = /\d{16}|\d[.eE]/;

/**
 * Parses JSON that is written again. Numbers that JavaScript would write differently, such as
 * `1.0` and integers above 2^53, keep their text.
 */
export function parseExactly(text: string): unknown {
  if (!INEXACT.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}
