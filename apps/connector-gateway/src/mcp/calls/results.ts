import { UnexpectedResponseError } from '@gatehouse/mcp/client/connection-errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { measureJson } from '../limits/call-limits.ts';
import { readCreatedTask } from './task-forms.ts';

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

/** The result of a call that failed. @param text for the user or the model */
export const createErrorResult = (text: string): JsonObject => ({ isError: true, content: [{ type: 'text', text }] });

/** Replaces a result above the limit of the gateway. @param most bytes; undefined: no limit */
export function limitResult({ name }: { name: string }, result: JsonObject, most: number | undefined): JsonObject {
  if (most === undefined || measureJson(result) <= most) return result;
  return createErrorResult(
    `The result of ${name} has more than ${most} bytes, the most that this gateway allows. The call was made; ask for less.`,
  );
}

/**
 * Checks the members of an upstream's result that clients rely on (MCP schema). Other members pass
 * unchanged.
 * @throws UnexpectedResponseError
 */
export function requireValidResult(method: string, result: JsonObject): JsonObject {
  if (method === 'tools/call' && readCreatedTask(result) !== undefined) return result;
  const isValid = RULES.get(method)?.(result) ?? true;
  if (!isValid) throw new UnexpectedResponseError(`a result of ${method} that is not valid`);
  return result;
}
