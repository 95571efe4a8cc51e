import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decryptBytes, encryptBytes } from '@gatehouse/envelope/aes-gcm';
import { createFileOnce } from '@gatehouse/local-files/atomic-file';

const KEY_BYTES = 32;

/**
 * Reads the key of a home's encrypted sessions, a file beside them. It protects a session file that
 * is disclosed alone, for example in a backup, a bug report or a search index. It does not protect
 * against a reader of the whole folder.
 * @throws Error when the file does not hold a key
 */
function readKey(folder: string): Buffer {
  const key = Buffer.from(readFileSync(join(folder, 'key'), 'utf8'), 'base64url');
  if (key.length !== KEY_BYTES) throw new Error(`${join(folder, 'key')} is not a key`);
  return key;
}

/** Creates the key once. Two concurrent commands use the key of the first. */
function readOrCreateKey(folder: string): Buffer {
  try {
    return readKey(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  createFileOnce(join(folder, 'key'), randomBytes(KEY_BYTES).toString('base64url'));
  return readKey(folder);
}

/**
 * Encrypts a text with the key of the folder.
 * @param context the owner of the text; decryption needs the same context
 * @returns base64url of nonce, ciphertext and tag
 */
export function seal(folder: string, text: string, context: string): string {
  return encryptBytes(readOrCreateKey(folder), Buffer.from(text), context).toString('base64url');
}

/**
 * Decrypts the result of {@link seal}.
 * @throws Error for another key, another context, or changed data
 */
export function unseal(folder: string, sealed: string, context: string): string {
  const text = decryptBytes(readKey(folder), Buffer.from(sealed, 'base64url'), context);
  if (text === undefined) throw new Error('it was changed, or encrypted with another key');
  return text.toString('utf8');
}
