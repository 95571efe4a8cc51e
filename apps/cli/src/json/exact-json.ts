/** A number that keeps its text: `JSON.stringify` writes it as it is. */
interface RawNumber {
  readonly rawJSON: string;
}

/** The proposal "JSON.parse source text access", which Node 22 has and the types of ES2023 lack. */
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Members of the manager's responses that hold free-form JSON of other programs. */
const VERBATIM: ReadonlySet<string> = new Set(['metadata', 'raw_usage', 'estimated_usage', 'config']);

/** Whether a value is a number that keeps its text. */
export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value);

/**
 * Parses a response of the manager. Numbers inside of free-form members keep their text where
 * JavaScript would write another one, so that they can be printed without rounding.
 * @throws SyntaxError
 */
export function parseAnswer(text: string): unknown {
  const found = { raw: false };
  const value = json.parse(text, (_key, part, { source }) => {
    if (typeof part !== 'number' || source === undefined || String(part) === source) return part;
    found.raw = true;
    return json.rawJSON(source);
  });
  return found.raw ? withPlainNumbers(value, VERBATIM) : value;
}

/**
 * Replaces numbers that keep their text by numbers of JavaScript.
 * @param verbatim names of members that stay as they are
 */
export function withPlainNumbers<T>(value: T, verbatim: ReadonlySet<string> = new Set()): T {
  return plain(value, verbatim) as T;
}

function plain(value: unknown, verbatim: ReadonlySet<string>): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map((item) => plain(item, verbatim));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, verbatim.has(key) ? field : plain(field, verbatim)]),
  );
}
