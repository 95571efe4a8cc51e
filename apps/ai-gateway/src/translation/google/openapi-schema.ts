import type { JsonObject } from '../../formats/model-request.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';

const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
]);

/**
 * Converts a schema of Google, a part of OpenAPI 3.0, to JSON Schema: types in lower case, `null`
 * as a type, and counts that ProtoJSON writes as texts. The order of properties is left out.
 */
export function convertOpenApiSchema({ nullable, type, ...schema }: JsonObject): JsonObject {
  const converted: Record<string, unknown> = {};
  if (typeof type === 'string') {
    const name = type.toLowerCase();
    converted['type'] = nullable === true ? [name, 'null'] : name;
  } else if (type !== undefined) converted['type'] = type;
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'propertyOrdering' || name === 'example') continue;
    converted[name] = COUNTS.has(name) && typeof value === 'string' ? Number(value) : convertMember(name, value);
  }
  return converted;
}

function convertMember(name: string, value: unknown): unknown {
  if (name === 'properties' && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convertInner(inner)]));
  if (name === 'anyOf' && Array.isArray(value)) return value.map(convertInner);
  return name === 'items' ? convertInner(value) : value;
}

const convertInner = (value: unknown): unknown => (isJsonObject(value) ? convertOpenApiSchema(value) : value);
