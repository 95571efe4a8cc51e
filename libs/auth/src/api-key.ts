import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Virtual API keys as text: `gh_<id>_<secret><checksum>`.
 *
 * - `id`: 8 characters of base32 (RFC 4648 §6, lower case). Public: it names the key in lists, logs
 *   and answers.
 * - `secret`: 256 random bits as 43 digits of base62 (`0-9A-Za-z`).
 * - `checksum`: CRC-32 (ISO 3309) of everything before it, as 6 digits of base62. It is no
 *   protection: it tells a mistyped or invented key from a real one without asking anybody, and
 *   lets secret scanners report only what can be a key: `gh_[a-z2-7]{8}_[0-9A-Za-z]{49}`.
 */
export const API_KEY_PATTERN = /^gh_([a-z2-7]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** What an id of a key looks like. */
export const API_KEY_ID_PATTERN = /^[a-z2-7]{8}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 5;
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

/**
 * A key that was just made. `text` is the only thing that can be presented, and is never stored.
 */
export interface NewApiKey {
  id: string;
  text: string;
}

/**
 * Makes the text of a key.
 * @param random gives so many random bytes; a cryptographic source (`randomBytes` of node:crypto)
 * outside of tests
 * @param id of the key that gets a new secret; without it the key is new and its id is drawn
 */
export function generateApiKey(random: (bytes: number) => Uint8Array, id = drawId(random(ID_BYTES))): NewApiKey {
  const body = `${apiKeyPrefix(id)}_${base62(numberOf(random(SECRET_BYTES)), SECRET_DIGITS)}`;
  return { id, text: `${body}${checksumOf(body)}` };
}

/**
 * The id inside a text that has the form and the checksum of a key; undefined for anything else,
 * which needs no look at a database.
 */
export function parseApiKey(text: string): { id: string } | undefined {
  const [, id, , checksum] = API_KEY_PATTERN.exec(text) ?? [];
  if (id === undefined || checksum === undefined) return undefined;
  return checksumOf(text.slice(0, -CHECKSUM_DIGITS)) === checksum ? { id } : undefined;
}

/** The beginning of a key that may be shown: `gh_<id>`. */
export const apiKeyPrefix = (id: string): string => `gh_${id}`;

/**
 * SHA-256 of the whole text of a key: what is stored and what gateways send. A slow hash would gain
 * nothing against 256 random bits.
 */
export const apiKeyHash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export const sameApiKeyHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/** 40 bits, 5 to a character, without padding. */
function drawId(bytes: Uint8Array): string {
  const bits = numberOf(bytes);
  return Array.from({ length: 8 }, (_, at) => BASE32[Number((bits >> BigInt(35 - 5 * at)) & 31n)]).join('');
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_DIGITS);

function base62(number: bigint, digits: number): string {
  let text = '';
  for (let rest = number; text.length < digits; rest /= 62n) text = `${BASE62[Number(rest % 62n)]}${text}`;
  return text;
}
