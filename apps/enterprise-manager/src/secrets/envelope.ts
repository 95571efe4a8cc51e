import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyEncryptionKey } from './key-files/key-ring.ts';

/**
 * A value at rest: encrypted with a data key of its own (AES-256-GCM), and that data key encrypted
 * with a key-encryption key (AES-256-GCM again). Both buffers are nonce (12 bytes), ciphertext, tag
 * (16 bytes).
 */
export interface SealedValue {
  /** Version of the key-encryption key that wraps the data key. */
  key_version: number;
  /** 60 bytes: the data key, bound to the context and to the version. */
  wrapped_key: Buffer;
  /** The value, bound to the context; 28 bytes longer than the value. */
  ciphertext: Buffer;
}

/**
 * A stored value that was changed, or that belongs to another place: nothing of it may be used. The
 * message names the place only.
 */
export class SealBroken extends GatehouseError {
  override readonly code = 'sealed_value_changed';
  constructor(readonly context: string) {
    super(`the sealed value ${context} was changed, moved here from elsewhere, or sealed with another key`);
  }
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;

/**
 * Seals a value for one place. Nonces are random (NIST SP 800-38D, section 8.2.2): a data key
 * encrypts once, a key-encryption key far less often than the 2^32 times that random nonces allow.
 *
 * @param context names the place, for example `managed_secret:<id>`; the value opens there only
 */
export function sealValue(key: KeyEncryptionKey, plaintext: Uint8Array, context: string): SealedValue {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    return {
      key_version: key.version,
      wrapped_key: encrypt(key.key, dataKey, wrapBinding(key.version, context)),
      ciphertext: encrypt(dataKey, plaintext, valueBinding(context)),
    };
  } finally {
    dataKey.fill(0);
  }
}

/**
 * Opens a value in its place.
 * @throws SealBroken when any byte of it, its version or its place is another one
 */
export function openValue(key: KeyEncryptionKey, sealed: SealedValue, context: string): Buffer {
  const dataKey = unwrap(key, sealed, context);
  try {
    return decrypt(dataKey, sealed.ciphertext, valueBinding(context), context);
  } finally {
    dataKey.fill(0);
  }
}

/**
 * Wraps the data key of a value with another key-encryption key; the value itself stays as it is.
 * @throws SealBroken as `openValue`
 */
export function rewrapValue(
  from: KeyEncryptionKey,
  to: KeyEncryptionKey,
  sealed: SealedValue,
  context: string,
): SealedValue {
  const dataKey = unwrap(from, sealed, context);
  try {
    // A value that does not open is not carried over: it would look sound under the new version.
    decrypt(dataKey, sealed.ciphertext, valueBinding(context), context).fill(0);
    return {
      key_version: to.version,
      wrapped_key: encrypt(to.key, dataKey, wrapBinding(to.version, context)),
      ciphertext: sealed.ciphertext,
    };
  } finally {
    dataKey.fill(0);
  }
}

function unwrap(key: KeyEncryptionKey, { key_version, wrapped_key }: SealedValue, context: string): Buffer {
  const dataKey = decrypt(key.key, wrapped_key, wrapBinding(key_version, context), context);
  if (dataKey.length !== DATA_KEY_BYTES) throw new SealBroken(context);
  return dataKey;
}

// As JSON lists two different bindings never make the same bytes.
const wrapBinding = (version: number, context: string) => JSON.stringify(['gatehouse data key', version, context]);
const valueBinding = (context: string) => JSON.stringify(['gatehouse value', context]);

function encrypt(key: Buffer, plaintext: Uint8Array, binding: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(binding));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, binding: string, context: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken(context);
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    throw new SealBroken(context);
  } finally {
    plaintext.fill(0);
  }
}
