/** The headers of streamable HTTP, and the encoding of the values that mirror a body. */
import type { JsonObject } from './json-rpc.ts';

/** Names in lower case, as Node hands them out. */
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
]);

/**
 * The value that `Mcp-Name` mirrors for this request; undefined for a method that needs no such
 * header.
 */
export function mirroredName(method: string, params: JsonObject | undefined): string | undefined {
  const field = NAME_SOURCE.get(method);
  const value = field === undefined ? undefined : params?.[field];
  return typeof value === 'string' ? value : undefined;
}

const PREFIX = '=?base64?';
const SUFFIX = '?=';
const PLAIN = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Writes a body value so that any header can carry it: plain ASCII stays as it is, everything else
 * becomes `=?base64?…?=`.
 */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && !(value.startsWith(PREFIX) && value.endsWith(SUFFIX))) return value;
  return `${PREFIX}${Buffer.from(value, 'utf8').toString('base64')}${SUFFIX}`;
}

/**
 * Reads such a value back; undefined when the encoded form is not canonical base64 of valid UTF-8.
 */
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
