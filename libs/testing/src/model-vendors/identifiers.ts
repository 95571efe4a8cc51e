import { randomBytes } from 'node:crypto';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** A random identifier of a vendor, for example `chatcmpl-…`. */
export const createId = (prefix: string, length = 24): string =>
  prefix + [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

/** The time in whole seconds since 1970. */
export const readSeconds = (): number => Math.floor(Date.now() / 1000);
