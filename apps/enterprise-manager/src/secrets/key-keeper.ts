import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { KeyEncryption } from './key-encryption.ts';
import { readKeyFolder } from './key-files/key-folder.ts';
import { fingerprintOf, type KeyRing, KeyRingError } from './key-files/key-ring.ts';
import { KnownKeysRepository } from './known-keys.repository.ts';

const LOOK_MS = 1_000;

/**
 * Brings the key-encryption keys from configuration into use, and follows their folder. A key that
 * is another one than the database knows under its version is not used: what it would seal, no
 * other replica could open.
 */
@Injectable()
export class KeyKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly encryption = new KeyEncryption();
  private readonly listeners: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  /** What the configuration held when it was last taken over. */
  private taken = '';
  private reported = '';
  private refused: readonly number[] = [];

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'KEY_ENCRYPTION_KEYS' | 'KEY_ENCRYPTION_KEYS_DIR'>,
    private readonly knownKeys: KnownKeysRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Versions that are configured with another key than the database knows. */
  get refusedVersions(): readonly number[] {
    return this.refused;
  }

  /**
   * Takes the configured keys into use.
   * @throws KeyRingError when the folder holds something else than keys
   */
  async load(): Promise<KeyEncryption> {
    const { KEY_ENCRYPTION_KEYS, KEY_ENCRYPTION_KEYS_DIR } = this.settings;
    const folder = KEY_ENCRYPTION_KEYS_DIR;
    await this.take(folder === undefined ? (KEY_ENCRYPTION_KEYS ?? new Map()) : readKeyFolder(folder));
    return this.encryption;
  }

  /** Calls back after other keys came into use. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    const folder = this.settings.KEY_ENCRYPTION_KEYS_DIR;
    if (folder === undefined) return;
    this.timer = setInterval(() => {
      this.looking ??= this.look(folder).finally(() => {
        this.looking = undefined;
      });
    }, LOOK_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private async look(folder: string): Promise<void> {
    try {
      const ring = readKeyFolder(folder);
      this.reported = '';
      if (markOf(ring) === this.taken) return;
      await this.take(ring);
      this.log.info({ versions: [...ring.keys()] }, 'the key-encryption keys have changed');
      for (const listener of this.listeners) listener();
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      if (sentence !== this.reported)
        this.log.error(
          error instanceof KeyRingError ? { problems: error.problems } : { err: error },
          'the folder of key-encryption keys cannot be taken over; the keys before it stay in use',
        );
      this.reported = sentence;
    }
  }

  private async take(ring: KeyRing): Promise<void> {
    this.refused = ring.size === 0 ? [] : await this.knownKeys.introduce(ring, this.clock.now().toISOString());
    if (this.refused.length > 0)
      this.log.error(
        { versions: this.refused },
        'these versions of the key-encryption key are other keys than before, and are not used',
      );
    this.encryption.adopt(new Map([...ring].filter(([version]) => !this.refused.includes(version))));
    this.taken = markOf(ring);
  }
}

/** Changes when a key does. */
const markOf = (ring: KeyRing): string =>
  [...ring.values()].map((key) => `${key.version}:${fingerprintOf(key).toString('base64')}`).join();
