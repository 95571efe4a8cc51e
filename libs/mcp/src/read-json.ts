import { JsonCounter } from '@gatehouse/json-limits/json-counter';
import { checkMessage, NOT_JSON, type CheckResult, MESSAGE_RESERVE } from './check-response.ts';
import { isJsonObject } from './json-rpc.ts';
import { checkInTime, INLINE_BYTES } from './response-checker.ts';
import { isContentItem, isListEntry, LISTS, CONTENTS, type ListMember } from './response-items.ts';
import { ResponseLimitError, type ResponseLimits } from './response-limits.ts';

/**
 * Checks and parses one JSON text of a server. The verdict is that of `checkMessage`; a text that
 * needs no cut is scanned and parsed only once. A text above 64 KiB is checked in the worker.
 * @param bytes the text; the caller must not use it afterwards
 * @returns the parsed value, at once for a small text
 * @throws ResponseLimitError
 */
export function readJson(bytes: Uint8Array, limits: ResponseLimits): unknown {
  if (bytes.length > INLINE_BYTES)
    return checkInTime(bytes, 'message', limits).then((verdict) => parseChecked(verdict));
  return readSmall(bytes, limits) ?? parseChecked(checkMessage(bytes, limits));
}

/** Parses a text that the checks accepted. @throws ResponseLimitError */
function parseChecked(verdict: CheckResult): unknown {
  if ('excess' in verdict) throw new ResponseLimitError(verdict.excess);
  const value = parseOrUndefined(verdict.bytes);
  if (value === undefined) throw new ResponseLimitError(NOT_JSON);
  return value;
}

/** @returns undefined for a text that is not JSON; no JSON text has this value */
function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** @returns the value, or undefined when only `checkMessage` can decide */
function readSmall(bytes: Uint8Array, limits: ResponseLimits): unknown {
  const { json, parsedBytes, itemBytes } = limits;
  if (bytes.length > Math.min(itemBytes, parsedBytes - MESSAGE_RESERVE.bytes)) return undefined;
  const counter = new JsonCounter(json);
  if (counter.push(bytes) !== undefined) return undefined;
  const { nodes, keys } = counter.counts;
  if (nodes > json.nodes - MESSAGE_RESERVE.values || keys > json.keys - MESSAGE_RESERVE.values) return undefined;
  const value = parseOrUndefined(bytes);
  return isJsonObject(value) && hasValidItems(value, limits) ? value : undefined;
}

/** Whether all items of lists and of content are valid and few enough. */
function hasValidItems(message: Readonly<Record<string, unknown>>, limits: ResponseLimits): boolean {
  for (const key of ['result', 'params'] as const) {
    const holder = message[key];
    if (!isJsonObject(holder)) continue;
    for (const member in holder) {
      const items = holder[member];
      if (!Array.isArray(items)) continue;
      if (CONTENTS.has(member)) {
        const kind = key === 'result' ? member : 'sampling';
        if (items.length > limits.contentItems || !items.every((item) => isContentItem(kind, item))) return false;
      } else if (LISTS.has(member) && key === 'result') {
        const list = member as ListMember;
        if (items.length > limits.listItems || !items.every((item) => isListEntry(list, item))) return false;
      }
    }
  }
  return true;
}
