import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { openValue, rewrapValue, type SealedValue, sealValue } from './envelope.ts';
import type { KeyEncryptionKey, KeyRing } from './key-files/key-ring.ts';

/**
 * Seals what the database must not know, and opens it again. The highest version of the
 * key-encryption keys seals, every configured one opens. Without keys nothing is sealed or opened:
 * 503.
 */
@Injectable()
export class KeyEncryption {
  private ring: KeyRing = new Map();

  /**
   * Goes on with these keys. What was sealed under another version stays closed until that version
   * is back.
   */
  adopt(ring: KeyRing): void {
    this.ring = ring;
  }

  /** The versions that can be opened. */
  get versions(): readonly number[] {
    return [...this.ring.keys()].sort((a, b) => a - b);
  }

  /** Whether values can be sealed. */
  get available(): boolean {
    return this.ring.size > 0;
  }

  /** The version that seals; undefined without a key. */
  get currentVersion(): number | undefined {
    return this.versions.at(-1);
  }

  /** @throws HttpError unavailable without a key */
  requireAvailable(): void {
    this.current();
  }

  /**
   * Seals a value for one place.
   * @param context names the place, for example `managed_secret:<id>`; it must be the same when the
   * value is opened
   * @throws HttpError unavailable without a key
   */
  seal(plaintext: Uint8Array, context: string): SealedValue {
    return sealValue(this.current(), plaintext, context);
  }

  /**
   * Opens a value in its place.
   * @throws HttpError unavailable when the key of its version is not configured; SealBroken when
   * anything of it was changed
   */
  open(sealed: SealedValue, context: string): Uint8Array {
    return openValue(this.keyOf(sealed.key_version), sealed, context);
  }

  /** The same value under the current version. @throws as `seal` and `open` */
  rewrap(sealed: SealedValue, context: string): SealedValue {
    return rewrapValue(this.keyOf(sealed.key_version), this.current(), sealed, context);
  }

  private current(): KeyEncryptionKey {
    const key = this.currentVersion === undefined ? undefined : this.ring.get(this.currentVersion);
    if (key === undefined)
      throw new HttpError(
        'unavailable',
        'no key-encryption key is configured (KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_DIR), so secrets cannot be kept',
      );
    return key;
  }

  private keyOf(version: number): KeyEncryptionKey {
    const key = this.ring.get(version);
    if (key === undefined)
      throw new HttpError('unavailable', `version ${version} of the key-encryption key is needed and not configured`);
    return key;
  }
}
