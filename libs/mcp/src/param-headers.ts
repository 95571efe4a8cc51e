import { isJsonObject, type JsonObject } from './json-rpc.ts';
import { decodeHeaderValue, encodeHeaderValue } from './headers.ts';

/** A header name (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Maximum nesting of the objects whose properties are searched. */
const MAX_DEPTH = 16;

/**
 * Creates the `Mcp-Param-*` headers of a tool call: the arguments that the tool's input schema
 * marks with `x-mcp-header` (MCP 2026-07-28, transports, custom headers). Arguments that are
 * absent, or that are no string, safe number or boolean, have no header.
 */
export function createParamHeaders(inputSchema: unknown, values: JsonObject | undefined): Record<string, string> {
  if (!hasMarkedArguments(inputSchema)) return {};
  const marked = listMarked(inputSchema, values ?? {}, 0);
  return Object.fromEntries(
    marked.flatMap(({ header, value }) => {
      const text = toText(value);
      return text === undefined ? [] : [[header, encodeHeaderValue(text)]];
    }),
  );
}

/**
 * Compares the `Mcp-Param-*` headers of a tool call with its arguments (MCP 2026-07-28, transports,
 * custom headers). A marked argument needs its header, and a header needs its argument.
 * @param readHeader returns the value of a header by its name in lower case
 * @param needsHeaders whether a header that is absent contradicts its argument
 * @returns the name of the first header that contradicts the arguments
 */
export function findParamMismatch(
  inputSchema: unknown,
  values: JsonObject | undefined,
  readHeader: (name: string) => string | undefined,
  needsHeaders = true,
): string | undefined {
  if (!hasMarkedArguments(inputSchema)) return undefined;
  return listMarked(inputSchema, values ?? {}, 0).find(({ header, value }) => {
    const text = readHeader(header);
    return (needsHeaders || text !== undefined) && !isEqual(text, value);
  })?.header;
}

/** Whether schemas mark any argument, by schema. */
const marks = new WeakMap<object, boolean>();

/** Whether an input schema marks any argument. Most do not, and each call asks. */
export function hasMarkedArguments(inputSchema: unknown): boolean {
  if (!isJsonObject(inputSchema)) return false;
  let known = marks.get(inputSchema);
  if (known === undefined) marks.set(inputSchema, (known = listMarked(inputSchema, {}, 0).length > 0));
  return known;
}

function isEqual(header: string | undefined, value: unknown): boolean {
  const expected = toText(value);
  if (header === undefined || expected === undefined) return header === expected;
  const text = decodeHeaderValue(header.trim());
  if (typeof value === 'number') return text !== undefined && text.trim() !== '' && Number(text) === value;
  return text === expected;
}

interface MarkedArgument {
  /** In lower case. */
  header: string;
  /** Undefined when absent. */
  value: unknown;
}

/** Lists the properties of a schema that have a header, with their values. */
function listMarked(schema: unknown, values: JsonObject, depth: number): MarkedArgument[] {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  if (!isJsonObject(properties) || depth === MAX_DEPTH) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isJsonObject(property)) return [];
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const header = property['x-mcp-header'];
    const isMarked = typeof header === 'string' && TOKEN.test(header);
    return [
      ...(isMarked ? [{ header: `mcp-param-${header.toLowerCase()}`, value }] : []),
      ...listMarked(property, isJsonObject(value) ? value : {}, depth + 1),
    ];
  });
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}
