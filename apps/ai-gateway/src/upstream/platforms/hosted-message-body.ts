import { type ByteRange, JsonReader, JsonSyntaxError } from '@gatehouse/json-limits/json-reader';
import { applyEdits, type Edit } from '../../formats/body-members.ts';
import { ModelCallError } from '../../formats/model-call-error.ts';

/** The member that selects the version of the Messages API on a cloud platform. */
const VERSION = 'anthropic_version';
const [COMMA, QUOTE] = [0x2c, 0x22];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The changes of a platform to the body of a request of the Messages API. */
export interface HostedMessageChanges {
  /** The value of `anthropic_version`, unless the client has sent one. */
  readonly version: string;
  /** The members that the platform refuses. */
  readonly removed: readonly string[];
  /** The members that the platform needs, unless the client has sent them. */
  readonly added: Readonly<Record<string, unknown>>;
}

/**
 * Creates the body of a request to a model of Anthropic on a cloud platform: the version and the
 * added members come first, and the removed ones are not there. All other bytes stay as they are.
 * @param bytes of a JSON object with at least one member
 * @throws ModelCallError `invalid_request` if one of the members occurs twice
 */
export function createHostedMessageBody(
  bytes: Uint8Array,
  { version, removed, added }: HostedMessageChanges,
): Uint8Array {
  const found = findWholeMembers(bytes, [VERSION, ...removed, ...Object.keys(added)]);
  const sent = found.get(VERSION);
  const missing = Object.entries(added).filter(([name]) => !found.has(name));
  const leading = [
    `"${VERSION}":${sent === undefined ? JSON.stringify(version) : readText(bytes, sent.value)}`,
    ...missing.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
  ].join(',');
  const gone = [VERSION, ...removed].flatMap((name) => found.get(name) ?? []);
  return applyEdits(bytes, [
    ...gone.filter((one) => !one.isFirst).map(removeWithComma(bytes)),
    lead(bytes, gone, leading),
  ]);
}

/** A member of an object: its key with its value. */
interface WholeMember extends ByteRange {
  readonly value: ByteRange;
  readonly isFirst: boolean;
}

function findWholeMembers(bytes: Uint8Array, names: readonly string[]): ReadonlyMap<string, WholeMember> {
  const found = new Map<string, WholeMember>();
  try {
    const reader = new JsonReader(bytes);
    for (const name of reader.membersNamed(names)) {
      if (found.has(name))
        throw new ModelCallError('invalid_request', `The request contains '${name}' twice. Send it once.`, {
          field: name,
        });
      const value = reader.skip();
      const start = findKey(bytes, value.start);
      found.set(name, { start, end: value.end, value, isFirst: bytes[skipSpaceBefore(bytes, start)] !== COMMA });
    }
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    throw new ModelCallError('invalid_request', 'The body must be a JSON object.', { cause });
  }
  return found;
}

/** @returns the start of the key before a value; the key has no quote within */
function findKey(bytes: Uint8Array, valueStart: number): number {
  const colon = skipSpaceBefore(bytes, valueStart);
  const end = skipSpaceBefore(bytes, colon);
  return bytes.lastIndexOf(QUOTE, end - 1);
}

/** @returns the offset of the last byte before `at` that is no white space */
function skipSpaceBefore(bytes: Uint8Array, at: number): number {
  let before = at - 1;
  while (isSpace(bytes[before])) before -= 1;
  return before;
}

const removeWithComma =
  (bytes: Uint8Array) =>
  ({ start, end }: WholeMember): Edit => ({ start: skipSpaceBefore(bytes, start), end, text: '' });

/** Writes the leading members before the first one, or in its place. */
function lead(bytes: Uint8Array, gone: readonly WholeMember[], text: string): Edit {
  const first = gone.find(({ isFirst }) => isFirst);
  if (first !== undefined) return { start: first.start, end: first.end, text };
  const at = bytes.indexOf(QUOTE);
  return { start: at, end: at, text: `${text},` };
}

const readText = (bytes: Uint8Array, { start, end }: ByteRange): string =>
  Buffer.from(bytes.subarray(start, end)).toString('utf8');
