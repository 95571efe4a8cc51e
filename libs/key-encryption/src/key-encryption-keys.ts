import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { KeyLoader } from '@gatehouse/envelope/key-loader';
import { KeyRingError } from '@gatehouse/envelope/key-ring';
import type { Log } from '@gatehouse/service-kit/log';
import type { KeyFingerprintsRepository } from './key-fingerprints.repository.ts';
import type { KeyEncryptionSettings } from './key-encryption-settings.ts';

/** Loads the configured key-encryption keys into the EnvelopeCipher of this replica. */
export class KeyEncryptionKeys {
  private readonly cipher = new EnvelopeCipher();
  private readonly loader: KeyLoader;
  private readonly listeners: (() => void)[] = [];

  constructor(
    { KEY_ENCRYPTION_KEYS, KEY_ENCRYPTION_KEYS_DIR }: KeyEncryptionSettings,
    fingerprints: KeyFingerprintsRepository,
    private readonly log: Log,
  ) {
    const source =
      KEY_ENCRYPTION_KEYS_DIR === undefined
        ? { ring: KEY_ENCRYPTION_KEYS ?? new Map() }
        : { folder: KEY_ENCRYPTION_KEYS_DIR };
    this.loader = new KeyLoader(source, this.cipher, fingerprints, {
      onChanged: (versions) => this.reportChange(versions),
      onRejected: (versions) => this.reportRejection(versions),
      onFailed: (error) => this.reportFailure(error),
    });
  }

  /** The versions that are configured with another key than the database knows. */
  get rejectedVersions(): readonly number[] {
    return this.loader.rejectedVersions;
  }

  /** Loads the configured keys. @throws KeyRingError when the folder does not contain valid keys */
  async load(): Promise<EnvelopeCipher> {
    await this.loader.load();
    return this.cipher;
  }

  /** Registers a listener that is called after a change of the keys. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Follows the folder of the keys. Nest calls it after the start of the service. */
  onApplicationBootstrap(): void {
    this.loader.start();
  }

  /** Stops following. Nest calls it. */
  async onApplicationShutdown(): Promise<void> {
    await this.loader.stop();
  }

  private reportChange(versions: readonly number[]): void {
    this.log.info({ versions }, 'the key-encryption keys have changed');
    for (const listener of this.listeners) listener();
  }

  private reportRejection(versions: readonly number[]): void {
    this.log.error(
      { versions },
      'these versions of the key-encryption key are not used: the database knows another key under each of them; configure that key, or add the new one as a higher version',
    );
  }

  private reportFailure(error: unknown): void {
    this.log.error(
      error instanceof KeyRingError ? { problems: error.problems } : { err: error },
      'the folder of key-encryption keys cannot be loaded; the previous keys stay in use',
    );
  }
}
