import type { JsonObject } from '@gatehouse/mcp/json-rpc';

const keys = new WeakMap<JsonObject, string>();

/** The JSON of declared capabilities. It is made once for each object, which must not change. */
export function getCapabilitiesKey(capabilities: JsonObject): string {
  let key = keys.get(capabilities);
  if (key === undefined) keys.set(capabilities, (key = JSON.stringify(capabilities)));
  return key;
}
