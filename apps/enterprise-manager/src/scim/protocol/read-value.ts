import { findAttribute } from './schemas.ts';
import { type Attribute, type JsonObject, ScimError } from './types.ts';

/** Maximum number of elements of a list of a user, such as `emails`. */
export const MAX_ELEMENTS = 100;
const MAX_TEXT = 1_024;
const MAX_URI = 2_048;
const MAX_LINES = 4_096;
const MAX_CERTIFICATE = 16_384;

const LINES: ReadonlySet<string> = new Set(['formatted', 'streetAddress']);
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** Creates the refusal of a value (RFC 7644 §3.12). */
export const createValueError = (detail: string) => new ScimError(400, 'invalidValue', detail);

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the members of an object by lower-case name: names are case-insensitive (RFC 7643 §2.1).
 * @throws ScimError 400 `invalidSyntax` for two members whose names differ in case only
 */
export function indexMembers(value: JsonObject, place: string): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const key = name.toLowerCase();
    if (members.has(key))
      throw new ScimError(
        400,
        'invalidSyntax',
        `${place} has the attribute ${makePrintable(name)} twice, in different cases.`,
      );
    members.set(key, member);
  }
  return members;
}

/** Makes text of a request safe for messages: no control characters, at most 100 characters. */
export const makePrintable = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 100);

/**
 * Reads the value of an attribute by its schema. Null, an empty list and an empty text are no value
 * (RFC 7643 §2.5). Because large identity providers send them, it also accepts `"True"` for true, a
 * single element for a list, and a text for an object with `value`. Unknown and readOnly parts are
 * left out.
 * @returns undefined for no value
 * @throws ScimError 400 `invalidValue` that names the attribute
 */
export function readValue(attribute: Attribute, value: unknown, place = attribute.name): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (!attribute.multiValued) return readSingle(attribute, value, place);
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_ELEMENTS) throw createValueError(`${place} has at most ${MAX_ELEMENTS} elements.`);
  const elements = removeDuplicates(
    list.map((element: unknown) => readSingle(attribute, element, place)).filter((element) => element !== undefined),
  );
  if (elements.filter(isPrimary).length > 1) throw createValueError(`Only one element of ${place} can be primary.`);
  return elements.length === 0 ? undefined : elements;
}

/**
 * Reads one element of a list, or the value of a single-valued attribute.
 * @throws ScimError 400 `invalidValue`
 */
export function readSingle(attribute: Attribute, value: unknown, place = attribute.name): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (attribute.type !== 'complex') return readSimple(attribute, value, place);
  const parts = attribute.subAttributes ?? [];
  if (typeof value === 'string' && findAttribute(parts, 'value')) return readSingle(attribute, { value }, place);
  if (!isObject(value)) throw createValueError(`${place} is an object.`);
  const members = indexMembers(value, place);
  const result: JsonObject = {};
  for (const part of parts) {
    if (part.mutability === 'readOnly') continue;
    const read = readValue(part, members.get(part.name.toLowerCase()), `${place}.${part.name}`);
    if (read !== undefined) result[part.name] = read;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

function readSimple({ type, name }: Attribute, value: unknown, place: string): unknown {
  if (type === 'boolean') return readBoolean(value, place);
  if (typeof value !== 'string') throw createValueError(`${place} is text.`);
  const maximum =
    type === 'binary' ? MAX_CERTIFICATE : type === 'reference' ? MAX_URI : LINES.has(name) ? MAX_LINES : MAX_TEXT;
  if (value.length > maximum) throw createValueError(`${place} has at most ${maximum} characters.`);
  if (type === 'binary' && !BASE64.test(value)) throw createValueError(`${place} is base64.`);
  const forbidden = LINES.has(name) || type === 'binary' ? /[^\P{Cc}\t\n\r]|\p{Cs}/u : /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
  if (forbidden.test(value)) throw createValueError(`${place} contains control characters or is not Unicode text.`);
  return value;
}

function readBoolean(value: unknown, place: string): boolean {
  const truth = typeof value === 'string' ? { true: true, false: false }[value.trim().toLowerCase()] : value;
  if (typeof truth !== 'boolean') throw createValueError(`${place} is true or false.`);
  return truth;
}

/** Whether an element of a list is primary. */
export const isPrimary = (element: unknown): boolean => isObject(element) && element['primary'] === true;

/** Removes duplicate elements and keeps the first of each. */
export const removeDuplicates = (elements: readonly unknown[]): unknown[] => {
  const seen = new Set<string>();
  return elements.filter((element) => {
    const key = serializeElement(element);
    return !seen.has(key) && seen.add(key);
  });
};

/** Serializes an element independently of the order of members, which jsonb does not keep. */
export const serializeElement = (element: unknown): string =>
  JSON.stringify(
    isObject(element) ? Object.entries(element).toSorted(([left], [right]) => (left < right ? -1 : 1)) : element,
  );
