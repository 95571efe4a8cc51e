import type { JsonObject } from '../../formats/model-request.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';

/** Members whose contents belong to the caller. */
const FOREIGN: ReadonlySet<string> = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
]);

/** Writes names of members in camel case. ProtoJSON allows snake case too. */
export const toCamelCase = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [camel, FOREIGN.has(camel) ? value : convertValue(value)];
    }),
  );

function convertValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertValue);
  return isJsonObject(value) ? toCamelCase(value) : value;
}
