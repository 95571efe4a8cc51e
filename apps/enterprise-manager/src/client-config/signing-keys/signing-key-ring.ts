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
import { privateKeyOf } from './key-pair.ts';
import { SigningKeyMaker } from './signing-key-maker.ts';
import { jwkOf } from './signing-key.ts';
import { SigningKeysRepository, type StoredSigningKey } from './signing-keys.repository.ts';

/**
 * A rotation on another replica is in use here within a second, also when its announcement is lost.
 */
const LOOK_MS = 500;

/**
 * The signing keys as this replica knows them. It looks for changes when Postgres announces one,
 * and twice a second; while the database is away it goes on with what it knows, so that the last
 * known configuration can still be signed and verified.
 */
@Injectable()
export class SigningKeyRing implements OnApplicationBootstrap, OnApplicationShutdown {
  private keys: readonly StoredSigningKey[] = [];
  private signer: SigningKey | undefined;
  private taken = '';
  private reported = '';
  private looking: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private following: Promise<void> | undefined;

  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly watch: RevisionWatch,
    private readonly maker: SigningKeyMaker,
    private readonly cipher: EnvelopeCipher,
    private readonly dataSource: DataSource,
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Without a key-encryption key the deployment has chosen to sign nothing: it is ready all the
    // same.
    this.readiness.register('signing-keys', () => {
      const broken = this.cipher.hasKey && this.signer === undefined;
      return broken ? Promise.reject(new Error('no signing key can be opened')) : Promise.resolve();
    });
    await this.refresh();
    this.following = this.follow();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.following;
  }

  /**
   * The key that signs.
   * @throws HttpError unavailable when there is none that this replica can open
   */
  current(): SigningKey {
    if (this.signer) return this.signer;
    const reason = this.cipher.hasKey
      ? 'the signing key cannot be opened with the key-encryption keys that are configured'
      : 'no key-encryption key is configured (KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_DIR), so nothing can be signed';
    throw new HttpError('unavailable', reason, { retryAfterMs: 60_000 });
  }

  /**
   * The public keys that somebody may need: next, current, and previous ones until they are over.
   */
  shown(): Record<string, string>[] {
    const now = this.clock.now().toISOString();
    return this.keys.filter(({ shown_until }) => shown_until === null || shown_until > now).map(jwkOf);
  }

  /**
   * Takes over what the database holds now; the first key is made where there is none. One look at
   * a time.
   */
  refresh(): Promise<void> {
    this.looking ??= this.takeOver().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** As `refresh`, for those who do not wait: a failure is logged once. */
  async look(): Promise<void> {
    try {
      await this.refresh();
      this.reported = '';
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      if (sentence !== this.reported)
        this.log.warn({ err: error }, 'changes of signing keys cannot be seen; going on with those that are known');
      this.reported = sentence;
    }
  }

  private async follow(): Promise<void> {
    while (!this.watch.isEnding) {
      await this.watch.waitForChange(SIGNING_KEYS_TOPIC, LOOK_MS, this.stopped.signal);
      if (this.stopped.signal.aborted) return;
      await this.look();
    }
  }

  private async takeOver(): Promise<void> {
    let keys = await this.repository.all();
    if (keys.length === 0 && this.cipher.hasKey) keys = await this.makeFirst();
    const mark = JSON.stringify([keys.map(({ kid, state }) => [kid, state]), this.cipher.versions]);
    if (mark === this.taken) return;
    const current = keys.find(({ state }) => state === 'current');
    const signer = current && (await this.open(current.kid));
    // It may have retired between the two reads, and its private half with it: then there is
    // another one.
    if (current && !signer && !(await this.isCurrent(current.kid))) return this.takeOver();
    this.signer = signer;
    this.keys = keys;
    this.taken = mark;
  }

  private async isCurrent(kid: string): Promise<boolean> {
    return (await this.repository.all()).some((key) => key.kid === kid && key.state === 'current');
  }

  private makeFirst(): Promise<StoredSigningKey[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.repository.lock(manager);
      if ((await this.repository.all(manager)).length === 0) {
        await this.maker.make(manager, 'current');
        await this.maker.make(manager, 'next');
      }
      return this.repository.all(manager);
    });
  }

  private async open(kid: string): Promise<SigningKey | undefined> {
    const privateJwk = await this.maker.open(kid);
    return privateJwk && { kid, privateKey: await privateKeyOf(privateJwk) };
  }
}
