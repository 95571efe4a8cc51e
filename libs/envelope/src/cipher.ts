import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { KeyEncryptionKey, KeyRing } from './key-ring.ts';
import { openValue, rewrapValue, type SealedValue, sealValue } from './sealed-value.ts';

/** A key-encryption key that an operation needs and that is not configured. */
export class MissingKeyError extends GatehouseError {
  override readonly code = 'missing_key_encryption_key';

  /** @param version the version that the value needs; undefined when no key is configured at all */
  constructor(readonly version: number | undefined) {
    super(
      version === undefined
        ? 'no key-encryption key is configured'
        : `version ${version} of the key-encryption key is not configured`,
    );
  }
}

/**
 * Seals and opens values with a ring of key-encryption keys. The highest version seals; every
 * version opens what it sealed.
 */
export class EnvelopeCipher {
  private ring: KeyRing = new Map();

  /** Replaces the keys. Values of a version that is not in the ring cannot be opened. */
  setKeys(ring: KeyRing): void {
    this.ring = ring;
  }

  /** The configured versions in ascending order. */
  get versions(): readonly number[] {
    return [...this.ring.keys()].sort((a, b) => a - b);
  }

  /** The version that seals; undefined without a key. */
  get currentVersion(): number | undefined {
    return this.versions.at(-1);
  }

  /** Whether a key is configured. */
  get hasKey(): boolean {
    return this.ring.size > 0;
  }

  /** @throws MissingKeyError without a key */
  requireKey(): void {
    this.requireCurrentKey();
  }

  /**
   * Seals a value.
   * @param context identifies the row, for example `managed_secret:<id>`; `open` needs the same one
   * @throws MissingKeyError without a key
   */
  seal(plaintext: Uint8Array, context: string): SealedValue {
    return sealValue(this.requireCurrentKey(), plaintext, context);
  }

  /**
   * Opens a sealed value.
   * @throws MissingKeyError when the version of the value is not configured
   * @throws DecryptionError when the value was changed or sealed in another context
   */
  open(sealed: SealedValue, context: string): Uint8Array {
    return openValue(this.getKey(sealed.key_version), sealed, context);
  }

  /** Wraps the data key of a sealed value with the current version. @throws as `seal` and `open` */
  rewrap(sealed: SealedValue, context: string): SealedValue {
    return rewrapValue(this.getKey(sealed.key_version), this.requireCurrentKey(), sealed, context);
  }

  private requireCurrentKey(): KeyEncryptionKey {
    const version = this.currentVersion;
    if (version === undefined) throw new MissingKeyError(undefined);
    return this.getKey(version);
  }

  private getKey(version: number): KeyEncryptionKey {
    const key = this.ring.get(version);
    if (key === undefined) throw new MissingKeyError(version);
    return key;
  }
}
