import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { randomBytes } from 'node:crypto';
import { decryptBytes, encryptBytes } from './aes-gcm.ts';
import type { KeyEncryptionKey } from './key-ring.ts';

/**
 * A value under envelope encryption: a data key of its own encrypts it (AES-256-GCM), and a
 * key-encryption key wraps the data key (AES-256-GCM again). Both buffers are a nonce (12 bytes),
 * the ciphertext and a tag (16 bytes).
 */
export interface SealedValue {
  /** Version of the key-encryption key that wraps the data key. */
  key_version: number;
  /** The wrapped data key, 60 bytes, bound to the context and to the version. */
  wrapped_key: Buffer;
  /** The encrypted value, bound to the context; 28 bytes longer than the value. */
  ciphertext: Buffer;
}

/**
 * A sealed value that cannot be decrypted: it was changed, it was sealed in another context, or its
 * key is another one. The message contains the context and no part of the value.
 */
export class DecryptionError extends GatehouseError {
  override readonly code = 'decryption_failed';
  constructor(readonly context: string) {
    super(
      `the sealed value ${context} cannot be decrypted: it was changed, moved from another row, or sealed with another key`,
    );
  }
}

const DATA_KEY_BYTES = 32;

/**
 * Seals a value in one context. Nonces are random (NIST SP 800-38D, section 8.2.2): a data key
 * encrypts once, and a key-encryption key far less often than the limit of 2^32 times.
 *
 * @param context identifies the row, for example `managed_secret:<id>`. It is part of the
 * additional authenticated data: the value can be opened only in the same context.
 */
export function sealValue(key: KeyEncryptionKey, plaintext: Uint8Array, context: string): SealedValue {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    return {
      key_version: key.version,
      wrapped_key: encryptBytes(key.key, dataKey, createDataKeyBinding(key.version, context)),
      ciphertext: encryptBytes(dataKey, plaintext, createValueBinding(context)),
    };
  } finally {
    dataKey.fill(0);
  }
}

/**
 * Opens a sealed value in its context.
 * @throws DecryptionError when a byte, the version or the context is not the sealed one
 */
export function openValue(key: KeyEncryptionKey, sealed: SealedValue, context: string): Buffer {
  const dataKey = unwrapDataKey(key, sealed, context);
  try {
    return decrypt(dataKey, sealed.ciphertext, createValueBinding(context), context);
  } finally {
    dataKey.fill(0);
  }
}

/**
 * Wraps the data key of a sealed value with another key-encryption key. The ciphertext stays.
 * @throws DecryptionError as `openValue`
 */
export function rewrapValue(
  from: KeyEncryptionKey,
  to: KeyEncryptionKey,
  sealed: SealedValue,
  context: string,
): SealedValue {
  const dataKey = unwrapDataKey(from, sealed, context);
  try {
    // A damaged value keeps its version; under the new version it would look valid.
    decrypt(dataKey, sealed.ciphertext, createValueBinding(context), context).fill(0);
    return {
      key_version: to.version,
      wrapped_key: encryptBytes(to.key, dataKey, createDataKeyBinding(to.version, context)),
      ciphertext: sealed.ciphertext,
    };
  } finally {
    dataKey.fill(0);
  }
}

function unwrapDataKey(key: KeyEncryptionKey, { key_version, wrapped_key }: SealedValue, context: string): Buffer {
  const dataKey = decrypt(key.key, wrapped_key, createDataKeyBinding(key_version, context), context);
  if (dataKey.length !== DATA_KEY_BYTES) throw new DecryptionError(context);
  return dataKey;
}

// The additional authenticated data. JSON lists of different parts never have the same bytes.
const createDataKeyBinding = (version: number, context: string) =>
  JSON.stringify(['gatehouse data key', version, context]);
const createValueBinding = (context: string) => JSON.stringify(['gatehouse value', context]);

function decrypt(key: Buffer, encrypted: Buffer, binding: string, context: string): Buffer {
  const plaintext = decryptBytes(key, encrypted, binding);
  if (plaintext === undefined) throw new DecryptionError(context);
  return plaintext;
}
