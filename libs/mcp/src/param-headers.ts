import { isJsonObject, type JsonObject } from './json-rpc.ts';
import { encodeHeaderValue } from './headers.ts';

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
  const headers: Record<string, string> = {};
  if (values !== undefined) collect(inputSchema, values, headers, 0);
  return headers;
}

function collect(schema: unknown, values: JsonObject, headers: Record<string, string>, depth: number): void {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  if (!isJsonObject(properties) || depth === MAX_DEPTH) return;
  for (const [name, property] of Object.entries(properties)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || !isJsonObject(property)) continue;
    const header = property['x-mcp-header'];
    const text = toText(value);
    if (typeof header === 'string' && TOKEN.test(header) && text !== undefined)
      headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(text);
    if (isJsonObject(value)) collect(property, value, headers, depth + 1);
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}
