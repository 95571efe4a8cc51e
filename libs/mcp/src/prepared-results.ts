import type { JsonObject, RpcMessage } from './json-rpc.ts';

/** The JSON of prepared results, once it was needed. */
const texts = new WeakMap<JsonObject, string | undefined>();

/**
 * Marks a result that many responses have: its JSON is made once. It must never change.
 * @returns the same result
 */
export function prepareResult(result: JsonObject): JsonObject {
  texts.set(result, undefined);
  return result;
}

/** Whether `prepareResult` marked the result. */
export const isPrepared = (result: JsonObject): boolean => texts.has(result);

/** The JSON of a message. */
export function stringifyMessage(message: RpcMessage): string {
  if (!('result' in message) || !isPrepared(message.result)) return JSON.stringify(message);
  let text = texts.get(message.result);
  if (text === undefined) texts.set(message.result, (text = JSON.stringify(message.result)));
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${text}}`;
}
