import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { hkdfSync } from 'node:crypto';

/** Length of a key-encryption key in bytes: AES-256. */
const KEY_BYTES = 32;

/** Random keys have 30 different bytes on average, and in practice never fewer than this. */
const MIN_DISTINCT_BYTES = 12;

/** A key-encryption key: 256 random bits with a version. */
export interface KeyEncryptionKey {
  /** 1 to 2,147,483,647; the highest version seals. */
  readonly version: number;
  readonly key: Buffer;
}

/** Key-encryption keys by version. */
export type KeyRing = ReadonlyMap<number, KeyEncryptionKey>;

/** Keys that cannot be used. `problems` contain versions and file names, and no part of a key. */
export class KeyRingError extends GatehouseError {
  override readonly code = 'invalid_key_ring';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '));
  }
}

/**
 * Parses keys from text: a JSON list of `{ "version": 1, "key": "<base64>" }`, or lines of
 * `<version>:<base64>`. Blank lines and lines that begin with `#` are ignored.
 *
 * @throws KeyRingError with every problem
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.trimStart().startsWith('[') ? parseJson(text) : parseLines(text);
  return createKeyRing(entries.map(({ name, version, key }) => ({ name, version, bytes: decodeBase64(key) })));
}

/** A key before validation. */
export interface KeyCandidate {
  /** The name of the key in problems, for example `line 3`. */
  readonly name: string;
  readonly version: number | undefined;
  /** Undefined when the text is not base64. */
  readonly bytes: Buffer | undefined;
}

/** Validates keys and makes a ring of them. @throws KeyRingError with every problem */
export function createKeyRing(candidates: readonly KeyCandidate[]): KeyRing {
  const problems: string[] = [];
  const ring = new Map<number, KeyEncryptionKey>();
  for (const { name, version, bytes } of candidates) {
    const problem = findProblem(version, bytes, ring);
    if (problem !== undefined || version === undefined || bytes === undefined) problems.push(`${name} ${problem}`);
    else ring.set(version, { version, key: bytes });
  }
  if (candidates.length === 0) problems.push('contains no key');
  if (problems.length > 0) throw new KeyRingError(problems);
  return ring;
}

/** Decodes the key in a file: 32 raw bytes, or base64 with or without a newline. */
export function decodeKeyFile(content: Buffer): Buffer | undefined {
  return content.length === KEY_BYTES ? content : decodeBase64(content.toString('latin1').trim());
}

/**
 * Computes the fingerprint of a key and its version with HKDF (RFC 5869). Equal keys have equal
 * fingerprints, and a fingerprint does not reveal the key. Replicas compare stored fingerprints to
 * detect that one version has different keys.
 */
export function computeFingerprint({ version, key }: KeyEncryptionKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `gatehouse key-encryption key fingerprint ${version}`, 32));
}

function findProblem(version: number | undefined, bytes: Buffer | undefined, ring: KeyRing): string | undefined {
  if (version === undefined || !Number.isInteger(version) || version < 1 || version > 2_147_483_647)
    return 'has no version (a whole number from 1)';
  if (bytes === undefined) return 'is not base64';
  if (bytes.length !== KEY_BYTES) return `has ${bytes.length} bytes instead of ${KEY_BYTES}`;
  if (isWeak(bytes)) return 'is not random; create one with: openssl rand -base64 32';
  if (ring.has(version)) return `repeats version ${version}`;
  if ([...ring.values()].some((other) => other.key.equals(bytes))) return 'is the key of another version';
  return undefined;
}

/**
 * Whether a random generator cannot have made the bytes: few distinct bytes, a sequence with one
 * step, or printable text.
 */
function isWeak(bytes: Buffer): boolean {
  const steps = new Set(bytes.subarray(1).map((byte, at) => byte - (bytes[at] ?? 0)));
  return new Set(bytes).size < MIN_DISTINCT_BYTES || steps.size === 1 || bytes.every((byte) => byte > 31 && byte < 127);
}

function decodeBase64(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

interface KeyEntry {
  name: string;
  version: number | undefined;
  key: string;
}

function parseLines(text: string): KeyEntry[] {
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

function parseJson(text: string): KeyEntry[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    // The message of JSON.parse contains a piece of the text, and with it a piece of a key.
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
