import { inTransaction } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { HttpError } from '@gatehouse/service-kit/http-error';
import type { SigningKey } from '@gatehouse/signed-config/sign';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RevisionWatch, SIGNING_KEYS_TOPIC } from '../../gateways/revisions/revision-watch.ts';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { importPrivateKey } from './key-pair.ts';
import { SigningKeyFactory } from './signing-key-factory.ts';
import { toJwk } from './signing-key.ts';
import { SigningKeysRepository, type StoredSigningKey } from './signing-keys.repository.ts';

/**
 * Longest time between two reads of the keys. A replica applies a rotation within a second, also if
 * the notification is lost.
 */
const POLL_INTERVAL_MS = 500;

/**
 * The signing keys in the memory of this replica. It reads them after each notification of
 * Postgres, and at least twice a second. While the database is unavailable it keeps the last known
 * keys, so that the last known configuration can still be signed and verified.
 */
@Injectable()
export class SigningKeyRing implements OnApplicationBootstrap, OnApplicationShutdown {
  private keys: readonly StoredSigningKey[] = [];
  private signer: SigningKey | undefined;
  private loadedState = '';
  private lastLoggedError = '';
  private pendingRefresh: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private watching: Promise<void> | undefined;

  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly watch: RevisionWatch,
    private readonly keyFactory: SigningKeyFactory,
    private readonly cipher: EnvelopeCipher,
    private readonly dataSource: DataSource,
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // A deployment without a key-encryption key signs nothing, but it is ready.
    this.readiness.register('signing-keys', () => {
      const broken = this.cipher.hasKey && this.signer === undefined;
      return broken
        ? Promise.reject(
            new Error('the current signing key cannot be decrypted with the configured key-encryption keys'),
          )
        : Promise.resolve();
    });
    await this.refresh();
    this.watching = this.watchChanges();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.watching;
  }

  /**
   * Returns the key that signs.
   * @throws HttpError unavailable without a key that this replica can decrypt
   */
  getCurrent(): SigningKey {
    if (this.signer) return this.signer;
    const reason = this.cipher.hasKey
      ? 'the signing key cannot be decrypted with the configured key-encryption keys; configure the key-encryption key that encrypts it'
      : 'the configuration cannot be signed, because no key-encryption key is configured; set KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_DIR';
    throw new HttpError('unavailable', reason, { retryAfterMs: 60_000 });
  }

  /** Returns the public keys of the key set: next, current, and previous keys until they expire. */
  getPublishedKeys(): Record<string, string>[] {
    const now = this.clock.now().toISOString();
    return this.keys.filter(({ shown_until }) => shown_until === null || shown_until > now).map(toJwk);
  }

  /**
   * Reads the keys from the database and creates the first ones if there are none. Concurrent calls
   * share one read.
   */
  refresh(): Promise<void> {
    this.pendingRefresh ??= this.reload().finally(() => {
      this.pendingRefresh = undefined;
    });
    return this.pendingRefresh;
  }

  /**
   * Refreshes without throwing. Logs an error once, until a refresh succeeds or fails otherwise.
   */
  async refreshOrLog(): Promise<void> {
    try {
      await this.refresh();
      this.lastLoggedError = '';
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.lastLoggedError)
        this.log.warn({ err: error }, 'signing keys cannot be read; continuing with the last known keys');
      this.lastLoggedError = message;
    }
  }

  private async watchChanges(): Promise<void> {
    while (!this.watch.isEnding) {
      await this.watch.waitForChange(SIGNING_KEYS_TOPIC, POLL_INTERVAL_MS, this.stopped.signal);
      if (this.stopped.signal.aborted) return;
      await this.refreshOrLog();
    }
  }

  private async reload(): Promise<void> {
    let keys = await this.repository.list();
    if (keys.length === 0 && this.cipher.hasKey) keys = await this.createFirstKeys();
    const state = JSON.stringify([keys.map(({ kid, state }) => [kid, state]), this.cipher.versions]);
    if (state === this.loadedState) return;
    const current = keys.find(({ state }) => state === 'current');
    const signer = current && (await this.openSigningKey(current.kid));
    // The key may have been retired between the two reads; then another key is current.
    if (current && !signer && !(await this.isCurrent(current.kid))) return this.reload();
    this.signer = signer;
    this.keys = keys;
    this.loadedState = state;
  }

  private async isCurrent(kid: string): Promise<boolean> {
    return (await this.repository.list()).some((key) => key.kid === kid && key.state === 'current');
  }

  private createFirstKeys(): Promise<StoredSigningKey[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.repository.lock(manager);
      if ((await this.repository.list(manager)).length === 0) {
        await this.keyFactory.create(manager, 'current');
        await this.keyFactory.create(manager, 'next');
      }
      return this.repository.list(manager);
    });
  }

  private async openSigningKey(kid: string): Promise<SigningKey | undefined> {
    const privateJwk = await this.keyFactory.openPrivateKey(kid);
    return privateJwk && { kid, privateKey: await importPrivateKey(privateJwk) };
  }
}
