import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { hkdfSync } from 'node:crypto';

/** Length of a key-encryption key in bytes: AES-256. */
const KEY_BYTES = 32;

/** Random keys have 30 different bytes on average; fewer than this never happens by chance. */
const LEAST_DIFFERENT_BYTES = 12;

/** A key-encryption key: 256 random bits under a version that counts up. */
export interface KeyEncryptionKey {
  /** 1 to 2,147,483,647; the highest one seals. */
  readonly version: number;
  readonly key: Buffer;
}

/** Keys by version. */
export type KeyRing = ReadonlyMap<number, KeyEncryptionKey>;

/** Keys that cannot be used. `problems` name versions and what is wrong with them, never a key. */
export class KeyRingError extends GatehouseError {
  override readonly code = 'invalid_key_ring';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '));
  }
}

/**
 * Reads keys from text: a JSON list of `{ "version": 1, "key": "<base64>" }`, or lines of
 * `<version>:<base64>`. Blank lines and lines that begin with `#` are passed over.
 *
 * @throws KeyRingError with every problem
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.trimStart().startsWith('[') ? entriesOfJson(text) : entriesOfLines(text);
  return ringOf(entries.map(({ name, version, key }) => ({ name, version, bytes: decoded(key) })));
}

/** A key as it was found, before anything about it was checked. `name` is for people. */
export interface FoundKey {
  readonly name: string;
  readonly version: number | undefined;
  /** Undefined for what is not base64. */
  readonly bytes: Buffer | undefined;
}

/** Makes a ring of keys that were found. @throws KeyRingError with every problem */
export function ringOf(found: readonly FoundKey[]): KeyRing {
  const problems: string[] = [];
  const ring = new Map<number, KeyEncryptionKey>();
  for (const { name, version, bytes } of found) {
    const problem = problemOf(version, bytes, ring);
    if (problem !== undefined || version === undefined || bytes === undefined) problems.push(`${name} ${problem}`);
    else ring.set(version, { version, key: bytes });
  }
  if (found.length === 0) problems.push('names no key');
  if (problems.length > 0) throw new KeyRingError(problems);
  return ring;
}

/** The bytes of a key in a file: raw, or as base64 with or without a newline. */
export function keyOfFile(content: Buffer): Buffer | undefined {
  return content.length === KEY_BYTES ? content : decoded(content.toString('latin1').trim());
}

/**
 * What tells two keys apart without giving either away: HKDF (RFC 5869) of the key with a purpose
 * of its own. It is stored, so that replicas notice that they were given different keys under one
 * version.
 */
export function fingerprintOf({ version, key }: KeyEncryptionKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `gatehouse key-encryption key fingerprint ${version}`, 32));
}

function problemOf(version: number | undefined, bytes: Buffer | undefined, ring: KeyRing): string | undefined {
  if (version === undefined || !Number.isInteger(version) || version < 1 || version > 2_147_483_647)
    return 'has no version (a whole number from 1)';
  if (bytes === undefined) return 'is not base64';
  if (bytes.length !== KEY_BYTES) return `has ${bytes.length} bytes instead of ${KEY_BYTES}`;
  if (isWeak(bytes)) return 'is not random; make one with: openssl rand -base64 32';
  if (ring.has(version)) return `repeats version ${version}`;
  if ([...ring.values()].some((other) => other.key.equals(bytes))) return 'is the key of another version';
  return undefined;
}

/**
 * Nothing that a random generator makes: few different bytes, a counting sequence, or printable
 * text.
 */
function isWeak(bytes: Buffer): boolean {
  const steps = new Set(bytes.subarray(1).map((byte, at) => byte - (bytes[at] ?? 0)));
  return (
    new Set(bytes).size < LEAST_DIFFERENT_BYTES || steps.size === 1 || bytes.every((byte) => byte > 31 && byte < 127)
  );
}

function decoded(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

interface Entry {
  name: string;
  version: number | undefined;
  key: string;
}

function entriesOfLines(text: string): Entry[] {
  return text
    .split('\n')
    .map((line, at) => ({ line: line.trim(), name: `line ${at + 1}` }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, name }) => {
      const [, version, key] = /^(\d{1,10})\s*:\s*(.*)$/.exec(line) ?? [];
      return version === undefined
        ? { name, version: undefined, key: '' }
        : { name: `key ${version}`, version: Number(version), key: key ?? '' };
    });
}

function entriesOfJson(text: string): Entry[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    // The parser's own sentence would show a piece of the text.
    throw new KeyRingError(['must be a JSON list, or lines of <version>:<base64>']);
  }
  return (list as unknown[]).map((item, at) => {
    const { version, key } = (item ?? {}) as { version?: unknown; key?: unknown };
    return {
      name: typeof version === 'number' ? `key ${version}` : `item ${at + 1}`,
      version: typeof version === 'number' ? version : undefined,
      key: typeof key === 'string' ? key : '',
    };
  });
}
