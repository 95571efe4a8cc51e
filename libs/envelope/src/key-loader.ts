import type { EnvelopeCipher } from './cipher.ts';
import { readKeyFolder } from './key-folder.ts';
import { computeFingerprint, type KeyRing } from './key-ring.ts';

const POLL_INTERVAL_MS = 1_000;

/** The configured keys: a fixed ring, or a folder that is polled for changes. */
export type KeySource = { ring: KeyRing } | { folder: string };

/** The fingerprints of known keys, in storage that all replicas share. */
export interface FingerprintStore {
  /**
   * Stores the fingerprints of new versions.
   * @returns the versions for which another fingerprint is stored
   */
  register(ring: KeyRing): Promise<readonly number[]>;
}

/** Receives the events of a KeyLoader. */
export interface KeyLoaderEvents {
  /** The keys of a folder were replaced; `versions` are the configured ones. */
  onChanged(versions: readonly number[]): void;
  /** Versions are configured with another key than the stored one, and are not used. */
  onRejected(versions: readonly number[]): void;
  /** A folder cannot be loaded, reported once per message; the previous keys stay in use. */
  onFailed(error: unknown): void;
}

/**
 * Loads key-encryption keys into a cipher and follows their folder. A version whose key differs
 * from the stored fingerprint is not used: no other replica could open a value that it sealed.
 */
export class KeyLoader {
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private rejected: readonly number[] = [];
  private loadedSignature = '';
  private lastFailure = '';

  constructor(
    private readonly source: KeySource,
    private readonly cipher: EnvelopeCipher,
    private readonly fingerprints: FingerprintStore,
    private readonly events: KeyLoaderEvents,
  ) {}

  /** The versions that are configured with another key than the stored one. */
  get rejectedVersions(): readonly number[] {
    return this.rejected;
  }

  /** Loads the keys. @throws KeyRingError when the folder does not contain valid keys */
  async load(): Promise<void> {
    await this.use('ring' in this.source ? this.source.ring : readKeyFolder(this.source.folder));
  }

  /** Polls the folder once a second; a fixed ring needs no polling. */
  start(): void {
    if ('ring' in this.source) return;
    const { folder } = this.source;
    this.timer = setInterval(() => {
      this.polling ??= this.poll(folder).finally(() => {
        this.polling = undefined;
      });
    }, POLL_INTERVAL_MS).unref();
  }

  /** Stops polling and waits for a poll that is running. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.polling;
  }

  private async poll(folder: string): Promise<void> {
    try {
      const ring = readKeyFolder(folder);
      this.lastFailure = '';
      if (computeSignature(ring) === this.loadedSignature) return;
      await this.use(ring);
      this.events.onChanged([...ring.keys()]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.lastFailure) this.events.onFailed(error);
      this.lastFailure = message;
    }
  }

  private async use(ring: KeyRing): Promise<void> {
    this.rejected = ring.size === 0 ? [] : await this.fingerprints.register(ring);
    if (this.rejected.length > 0) this.events.onRejected(this.rejected);
    this.cipher.setKeys(new Map([...ring].filter(([version]) => !this.rejected.includes(version))));
    this.loadedSignature = computeSignature(ring);
  }
}

/** A text that is equal for equal keys. */
const computeSignature = (ring: KeyRing): string =>
  [...ring.values()].map((key) => `${key.version}:${computeFingerprint(key).toString('base64')}`).join();
