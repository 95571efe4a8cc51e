import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';

/** Members by which the protocol finds or reads something; a changed one would break a request. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  ...['jsonrpc', 'id', 'method', 'mode', 'type', 'role', 'resultType', 'status', 'action', 'stopReason', 'level'],
  ...['includeContext', 'taskSupport'],
  ...['name', 'uri', 'uriTemplate', 'url', 'mimeType', 'lastModified', 'createdAt', 'lastUpdatedAt', 'audience'],
  ...['taskId', 'elicitationId', 'toolUseId', 'requestState', 'cursor', 'nextCursor', 'progressToken', 'icons'],
  // Base64 of a resource.
  'blob',
]);

/** Members whose value is data of an application, in which names have no meaning for MCP. */
const APPLICATION_DATA: ReadonlySet<string> = new Set(['structuredContent', 'arguments', 'input']);

/** Members with a JSON Schema, of which only the texts for people are redacted. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);
const SCHEMA_TEXTS: ReadonlySet<string> = new Set(['title', 'description']);

/** Content items with base64 in `data`. */
const BINARY_TYPES: ReadonlySet<unknown> = new Set(['image', 'audio']);

const RESERVED_META = 'io.modelcontextprotocol/';

type ReplaceText = (text: string) => string;

/**
 * Replaces the texts of a message or of a part of one. Keys, numbers, base64 and the identifiers of
 * the protocol stay, so the form of the message does not change.
 * @param replace is called with each text, always in the same order for the same message
 * @returns the same value if no text changes
 */
export function mapTexts<T>(message: T, replace: ReplaceText): T {
  return mapPart(message, replace) as T;
}

function mapPart(part: unknown, replace: ReplaceText): unknown {
  if (typeof part === 'string') return replace(part);
  if (Array.isArray(part)) return mapItems(part, (item) => mapPart(item, replace));
  if (!isJsonObject(part)) return part;
  return mapMembers(part, (name, value) => {
    // The arguments in the definition of a prompt are a list.
    if (APPLICATION_DATA.has(name) && !(name === 'arguments' && Array.isArray(value))) return mapAll(value, replace);
    if (SCHEMAS.has(name)) return mapSchema(value, replace);
    if (name === '_meta') return mapMeta(value, replace);
    if (name === 'content' && isAnswerContent(value)) return mapAll(value, replace);
    // The data of a log message.
    if (name === 'data' && 'level' in part) return mapAll(value, replace);
    if (IDENTIFIERS.has(name) && !isJsonObject(value)) return value;
    return name === 'data' && BINARY_TYPES.has(part['type']) ? value : mapPart(value, replace);
  });
}

/** The content of an answer to an elicitation; all other content has a type. */
const isAnswerContent = (value: unknown): value is JsonObject =>
  isJsonObject(value) && typeof value['type'] !== 'string';

function mapAll(value: unknown, replace: ReplaceText): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return mapItems(value, (item) => mapAll(item, replace));
  return isJsonObject(value) ? mapMembers(value, (_, member) => mapAll(member, replace)) : value;
}

function mapMeta(value: unknown, replace: ReplaceText): unknown {
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (name, member) => (name.startsWith(RESERVED_META) ? member : mapPart(member, replace)));
}

function mapSchema(value: unknown, replace: ReplaceText): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => mapSchema(item, replace));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (name, member) =>
    SCHEMA_TEXTS.has(name) && typeof member === 'string' ? replace(member) : mapSchema(member, replace),
  );
}

function mapItems(items: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const mapped = items.map(map);
  return mapped.some((item, at) => item !== items[at]) ? mapped : items;
}

function mapMembers(object: JsonObject, map: (name: string, value: unknown) => unknown): JsonObject {
  let changed: JsonObject | undefined;
  for (const [name, value] of Object.entries(object)) {
    const mapped = map(name, value);
    if (mapped === value) continue;
    changed ??= { ...object };
    // An assignment to `__proto__` would change no member.
    Object.defineProperty(changed, name, { value: mapped, enumerable: true, configurable: true, writable: true });
  }
  return changed ?? object;
}
