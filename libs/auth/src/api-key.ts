import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Virtual API keys as text: `gh_<id>_<secret><checksum>`.
 *
 * - `id`: 8 characters of base32 (RFC 4648 §6, lower case). Public: it names the key in lists, logs
 *   and responses.
 * - `secret`: 256 random bits as 43 digits of base62 (`0-9A-Za-z`).
 * - `checksum`: CRC-32 (ISO 3309) of all characters before it, as 6 digits of base62. It does not
 *   protect the key. It detects a mistyped or invented key without a database, and lets secret
 *   scanners report only texts that can be a key: `gh_[a-z2-7]{8}_[0-9A-Za-z]{49}`.
 */
export const API_KEY_PATTERN = /^gh_([a-z2-7]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** The form of a key's id. */
export const API_KEY_ID_PATTERN = /^[a-z2-7]{8}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 5;
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

/** A new key. `text` is the credential; it is never stored. */
export interface NewApiKey {
  id: string;
  text: string;
}

/**
 * Generates the text of a key.
 * @param random returns random bytes; a cryptographic source (`randomBytes` of node:crypto) outside
 * of tests
 * @param id the id of an existing key that gets a new secret; default: a random one
 */
export function generateApiKey(random: (bytes: number) => Uint8Array, id = createId(random(ID_BYTES))): NewApiKey {
  const body = `${getApiKeyPrefix(id)}_${encodeBase62(toBigInt(random(SECRET_BYTES)), SECRET_DIGITS)}`;
  return { id, text: `${body}${computeChecksum(body)}` };
}

/**
 * The id in a text with the form and the checksum of a key; undefined for every other text, which
 * then needs no database query.
 */
export function parseApiKey(text: string): { id: string } | undefined {
  const [, id, , checksum] = API_KEY_PATTERN.exec(text) ?? [];
  if (id === undefined || checksum === undefined) return undefined;
  return computeChecksum(text.slice(0, -CHECKSUM_DIGITS)) === checksum ? { id } : undefined;
}

/** The part of a key that may be shown: `gh_<id>`. */
export const getApiKeyPrefix = (id: string): string => `gh_${id}`;

/**
 * The SHA-256 of the whole text of a key, which is stored and which gateways send. A slow hash does
 * not protect 256 random bits any better.
 */
export const hashApiKey = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two hashes are equal, in constant time. */
export const areHashesEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/** 40 bits, 5 to a character, without padding. */
function createId(bytes: Uint8Array): string {
  const bits = toBigInt(bytes);
  return Array.from({ length: 8 }, (_, at) => BASE32[Number((bits >> BigInt(35 - 5 * at)) & 31n)]).join('');
}

const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

const computeChecksum = (body: string): string => encodeBase62(BigInt(crc32(body)), CHECKSUM_DIGITS);

function encodeBase62(number: bigint, digits: number): string {
  let text = '';
  for (let rest = number; text.length < digits; rest /= 62n) text = `${BASE62[Number(rest % 62n)]}${text}`;
  return text;
}
