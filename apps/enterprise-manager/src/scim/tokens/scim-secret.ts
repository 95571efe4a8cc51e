import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A secret: how its row is found, and the text that the client keeps. */
export interface ScimSecret {
  lookup: string;
  text: string;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^ghscim_([a-z2-7]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;

/**
 * Bytes of randomness behind the secret part: 256 bits, more than 43 base62 digits can tell apart
 * would be lost.
 */
const SECRET_BYTES = 32;
const LOOKUP_BYTES = 5;

/** A new name under which a token is found. @param random gives that many random bytes */
export const newLookup = (random: (bytes: number) => Buffer): string => {
  let bits = BigInt(`0x${random(LOOKUP_BYTES).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < 8; digit += 1) {
    text += BASE32.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return text;
};

/**
 * A new secret: `ghscim_<8 base32 lookup>_<43 base62><6 base62 checksum>`. The prefix is for secret
 * scanners, the checksum (CRC-32 of everything before it) for refusing garbage and typing errors
 * without asking a database.
 */
export const newSecret = (lookup: string, random: (bytes: number) => Buffer): ScimSecret => {
  const body = `ghscim_${lookup}_${base62(BigInt(`0x${random(SECRET_BYTES).toString('hex')}`), 43)}`;
  return { lookup, text: body + checksum(body) };
};

/** The secret that a client presented. @returns undefined for a text that no secret can be */
export const readSecret = (text: string): ScimSecret | undefined => {
  const [, lookup, sum] = FORM.exec(text) ?? [];
  if (lookup === undefined || checksum(text.slice(0, -6)) !== sum) return undefined;
  return { lookup, text };
};

/**
 * What is stored of a secret. It holds 256 random bits, so a plain digest cannot be guessed
 * backwards.
 */
export const hashOf = ({ text }: ScimSecret): Buffer => createHash('sha256').update(text).digest();

const checksum = (text: string): string => base62(BigInt(crc32(text)), 6);

const base62 = (value: bigint, digits: number): string => {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
};
