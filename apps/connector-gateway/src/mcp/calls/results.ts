import { UnexpectedResponseError } from '@gatehouse/mcp/client/connection-errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isJsonObject);

/** The members of results that clients rely on, by method. */
const RULES: ReadonlyMap<string, (result: JsonObject) => boolean> = new Map([
  [
    'tools/call',
    ({ content, isError, structuredContent }) =>
      (isListOfObjects(content) || (content === undefined && structuredContent !== undefined)) &&
      (isError === undefined || typeof isError === 'boolean'),
  ],
  ['prompts/get', ({ messages }) => isListOfObjects(messages)],
  ['resources/read', ({ contents }) => isListOfObjects(contents)],
  ['completion/complete', ({ completion }) => isJsonObject(completion) && Array.isArray(completion['values'])],
]);

/**
 * Checks the members of an upstream's result that clients rely on (MCP schema). Other members pass
 * unchanged.
 * @throws UnexpectedResponseError
 */
export function requireValidResult(method: string, result: JsonObject): JsonObject {
  const isValid = RULES.get(method)?.(result) ?? true;
  if (!isValid) throw new UnexpectedResponseError(`a result of ${method} that is not valid`);
  return result;
}
