import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A secret: the public part that finds its row, and the whole text. */
export interface ScimSecret {
  lookup: string;
  text: string;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^ghscim_([a-z2-7]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;

/** Random bytes of the secret part: 256 bits, the most that 43 base62 digits can encode. */
const SECRET_BYTES = 32;
const LOOKUP_BYTES = 5;

/** Generates the public part of a token. @param random returns that many random bytes */
export const generateLookup = (random: (bytes: number) => Buffer): string => {
  let bits = BigInt(`0x${random(LOOKUP_BYTES).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < 8; digit += 1) {
    text += BASE32.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return text;
};

/**
 * Generates a secret: `ghscim_<8 base32 lookup>_<43 base62><6 base62 checksum>`. Secret scanners
 * recognize the prefix. The checksum, CRC-32 of all characters before it, detects invalid text
 * without a database query.
 */
export const generateSecret = (lookup: string, random: (bytes: number) => Buffer): ScimSecret => {
  const body = `ghscim_${lookup}_${encodeBase62(BigInt(`0x${random(SECRET_BYTES).toString('hex')}`), 43)}`;
  return { lookup, text: body + computeChecksum(body) };
};

/** Parses a secret. @returns undefined for a text in another form or with a wrong checksum */
export const readSecret = (text: string): ScimSecret | undefined => {
  const [, lookup, sum] = FORM.exec(text) ?? [];
  if (lookup === undefined || computeChecksum(text.slice(0, -6)) !== sum) return undefined;
  return { lookup, text };
};

/** The stored hash of a secret. A plain SHA-256 is safe, because the secret has 256 random bits. */
export const hashSecret = ({ text }: ScimSecret): Buffer => createHash('sha256').update(text).digest();

const computeChecksum = (text: string): string => encodeBase62(BigInt(crc32(text)), 6);

const encodeBase62 = (value: bigint, digits: number): string => {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
};
