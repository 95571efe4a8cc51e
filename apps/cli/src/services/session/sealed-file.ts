import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '@gatehouse/workloads/files/atomic-file';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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
  const fresh = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    return readKey(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeDurably(fresh, randomBytes(KEY_BYTES).toString('base64url'));
  try {
    linkSync(fresh, join(folder, 'key'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return readKey(folder);
}

/**
 * Encrypts a text with the key of the folder (AES-256-GCM; NIST SP 800-38D).
 * @param context the owner of the text; decryption needs the same context
 * @returns base64url of nonce, ciphertext and tag
 */
export function seal(folder: string, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, readOrCreateKey(folder), nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/**
 * Decrypts the result of {@link seal}.
 * @throws Error for another key, another context, or changed data
 */
export function unseal(folder: string, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, readKey(folder), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
}
