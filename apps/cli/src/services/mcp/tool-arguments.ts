import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { invalidFlag, UsageError } from '../../errors/cli-error.ts';

/**
 * Parses the arguments of a tool from `key=value`. The schema of the tool decides how a value is
 * read; a value of another or unknown type is JSON, or else a text.
 * @param schema `inputSchema` of the tool
 * @throws UsageError for a value that does not fit, and for a missing argument
 */
export function parseToolArguments(typed: readonly string[], schema: unknown): JsonObject {
  const properties = readObject(schema, 'properties');
  const parsed: JsonObject = {};
  for (const one of typed) {
    const equals = one.indexOf('=');
    if (equals < 1) throw invalidFlag(`--argument ${one}`, 'is not key=value');
    const key = one.slice(0, equals);
    parsed[key] = parseValue(one, one.slice(equals + 1), readObject(properties, key)['type']);
  }
  const required = isJsonObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.filter((key) => typeof key === 'string' && !(key in parsed)) as string[];
  if (missing.length === 0) return parsed;
  throw new UsageError(
    `The tool needs the ${missing.length === 1 ? 'argument' : 'arguments'} ${missing.join(', ')}`,
    missing.map((key) => `--argument ${key}=…`),
  );
}

/** Parses the value of `--json-arguments`. @throws UsageError */
export function parseJsonArguments(text: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw invalidFlag('--json-arguments', 'is not a JSON object', '--json-arguments \'{"message": "hello"}\'');
}

function parseValue(typed: string, text: string, type: unknown): unknown {
  if (type === 'string') return text;
  const value = parseJson(text);
  const fits = typeof type !== 'string' || isOfType(value, type);
  if (!fits) throw invalidFlag(`--argument ${typed}`, `is not of the type ${type}, which the tool expects`);
  return value === undefined ? text : value;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readObject(value: unknown, key: string): JsonObject {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
}
