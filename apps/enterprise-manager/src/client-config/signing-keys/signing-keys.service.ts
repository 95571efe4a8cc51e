import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { getLongestGraceMs } from '../document/client-config.ts';
import { ClientConfigRepository } from '../document/client-config.repository.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SigningKeyMaker } from './signing-key-maker.ts';
import { SigningKeyRing } from './signing-key-ring.ts';
import { shownUntil, untilItMaySign } from './signing-key.ts';
import { type SigningKeyList, toSigningKey } from './signing-keys.dto.ts';
import { SigningKeysRepository, type StoredSigningKey } from './signing-keys.repository.ts';

/** Signing keys for administrators. */
@Injectable()
export class SigningKeysService {
  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly maker: SigningKeyMaker,
    private readonly ring: SigningKeyRing,
    private readonly cipher: EnvelopeCipher,
    private readonly clientConfig: ClientConfigRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The keys that the key set shows. */
  async list(manager?: EntityManager): Promise<SigningKeyList> {
    const keys = await this.repository.all(manager);
    return { keys: keys.filter((key) => this.isShown(key)).map(toSigningKey) };
  }

  /**
   * Lets the next key sign and makes a new next one. A key that clients may not have seen yet does
   * not sign: rotations that come too soon, one of two in parallel among them, are refused. Only
   * where the current key cannot sign anyhow there is nothing to wait for.
   *
   * @throws HttpError conflict while the next key is too young; unavailable without a
   * key-encryption key
   */
  async rotate(caller: Caller): Promise<SigningKeyList> {
    this.cipher.requireKey();
    const list = await inTransaction(this.dataSource, async (manager) => {
      await this.repository.lock(manager);
      const keys = await this.repository.all(manager);
      const [current, next] = [keyIn(keys, 'current'), keyIn(keys, 'next')];
      const successor = await this.successor(manager, current, next);
      if (current) await this.retire(manager, current);
      const kid = await this.promote(manager, successor);
      await this.repository.clearOut(manager, this.clock.now().toISOString());
      await this.audit.record(manager, caller, {
        operation: 'Rotate signing keys',
        object_kind: 'signing_key',
        object_id: kid,
        changed_fields: ['state'],
      });
      return this.list(manager);
    });
    await this.ring.look();
    return list;
  }

  /**
   * Takes a key out of the key set at once; another one takes its place.
   *
   * @throws HttpError not_found; unavailable without a key-encryption key
   */
  async withdraw(caller: Caller, kid: string): Promise<void> {
    this.cipher.requireKey();
    await inTransaction(this.dataSource, async (manager) => {
      await this.repository.lock(manager);
      const keys = await this.repository.all(manager);
      const key = keys.find((each) => each.kid === kid && this.isShown(each));
      if (!key) throw new HttpError('not_found', 'there is no such signing key');
      await this.repository.delete(manager, kid);
      if (key.state === 'current')
        await this.promote(manager, await this.successor(manager, undefined, keyIn(keys, 'next')));
      if (key.state === 'next') await this.maker.make(manager, 'next');
      await this.audit.record(manager, caller, {
        operation: 'Withdraw signing key',
        object_kind: 'signing_key',
        object_id: kid,
        changed_fields: ['state'],
      });
    });
    await this.ring.look();
  }

  /**
   * Lets the successor sign, or a new key where there is none, and makes a new next one.
   * @returns kid of the one that signs
   */
  private async promote(manager: EntityManager, successor: string | undefined): Promise<string> {
    if (successor) await this.repository.activate(manager, successor, this.clock.now().toISOString());
    const kid = successor ?? (await this.maker.make(manager, 'current'));
    await this.maker.make(manager, 'next');
    return kid;
  }

  private isShown({ shown_until }: StoredSigningKey): boolean {
    return shown_until === null || shown_until > this.clock.now().toISOString();
  }

  /**
   * The key that signs from now on: the next one, or undefined when it cannot be opened any more
   * and was removed.
   */
  private async successor(
    manager: EntityManager,
    current: StoredSigningKey | undefined,
    next: StoredSigningKey | undefined,
  ): Promise<string | undefined> {
    if (!next) return undefined;
    if (!(await this.maker.open(next.kid, manager))) {
      await this.repository.delete(manager, next.kid);
      return undefined;
    }
    const wait = untilItMaySign(next, this.clock.now());
    const signing = current && (await this.maker.open(current.kid, manager));
    if (wait > 0 && signing)
      throw new HttpError(
        'conflict',
        `the next key is shown since ${next.created_at} only, and clients may not have it yet; rotate again in ${Math.ceil(wait / 1000)} s`,
      );
    return next.kid;
  }

  private async retire(manager: EntityManager, { kid }: StoredSigningKey): Promise<void> {
    const now = this.clock.now();
    const lifetimeMs = this.settings.CONFIG_LIFETIME_SECONDS * 1000;
    const until = shownUntil(now, {
      lifetimeMs,
      graceMs: getLongestGraceMs(await this.clientConfig.find(manager), lifetimeMs),
      lastEnd: await this.repository.lastEndOf(manager, kid),
    });
    await this.repository.retire(manager, kid, now.toISOString(), until.toISOString());
  }
}

const keyIn = (keys: readonly StoredSigningKey[], wanted: 'current' | 'next') =>
  keys.find(({ state }) => state === wanted);
