/** The headers of streamable HTTP, and the encoding of values that mirror the body. */
import type { JsonObject } from './json-rpc.ts';

/** Header names in lower case, as in Node. */
export const Header = {
  sessionId: 'mcp-session-id',
  protocolVersion: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  lastEventId: 'last-event-id',
} as const;

const NAME_SOURCE: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Returns the value that `Mcp-Name` mirrors; undefined for methods without this header. */
export function getMirroredName(method: string, params: JsonObject | undefined): string | undefined {
  const field = NAME_SOURCE.get(method);
  const value = field === undefined ? undefined : params?.[field];
  return typeof value === 'string' ? value : undefined;
}

const PREFIX = '=?base64?';
const SUFFIX = '?=';
const PLAIN = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Encodes a value for a header: plain ASCII unchanged, all other text as `=?base64?…?=`. */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && !(value.startsWith(PREFIX) && value.endsWith(SUFFIX))) return value;
  return `${PREFIX}${Buffer.from(value, 'utf8').toString('base64')}${SUFFIX}`;
}

/** Decodes such a value; undefined when it is not canonical base64 of valid UTF-8. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return value;
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (!BASE64.test(encoded) || bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
