import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts bytes with AES-256-GCM and a random nonce (NIST SP 800-38D, section 8.2.2). One key may
 * encrypt at most 2^32 times.
 * @param key 32 bytes
 * @param binding additional authenticated data: decryption needs the same text
 * @returns the nonce (12 bytes), the ciphertext and the tag (16 bytes)
 */
export function encryptBytes(key: Buffer, plaintext: Uint8Array, binding: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(binding));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts the result of {@link encryptBytes}.
 * @returns undefined when a byte, the key or the binding is not that of the encryption
 */
export function decryptBytes(key: Buffer, encrypted: Buffer, binding: string): Buffer | undefined {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const plaintext = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    return undefined;
  } finally {
    plaintext.fill(0);
  }
}
