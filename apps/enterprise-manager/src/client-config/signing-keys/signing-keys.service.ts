import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { getLongestGraceMs } from '../document/client-config.ts';
import { ClientConfigRepository } from '../document/client-config.repository.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SigningKeyFactory } from './signing-key-factory.ts';
import { SigningKeyRing } from './signing-key-ring.ts';
import { getShownUntil, getActivationDelayMs } from './signing-key.ts';
import { type SigningKeyList, toSigningKey } from './signing-keys.dto.ts';
import { SigningKeysRepository, type StoredSigningKey } from './signing-keys.repository.ts';

/** Lists, rotates and withdraws signing keys for administrators. */
@Injectable()
export class SigningKeysService {
  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly keyFactory: SigningKeyFactory,
    private readonly ring: SigningKeyRing,
    private readonly cipher: EnvelopeCipher,
    private readonly clientConfig: ClientConfigRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the keys of the key set. */
  async list(manager?: EntityManager): Promise<SigningKeyList> {
    const keys = await this.repository.list(manager);
    return { keys: keys.filter((key) => this.isPublished(key)).map(toSigningKey) };
  }

  /**
   * Makes the next key the current key and creates a new next key. A rotation is refused while
   * clients may have cached a key set without the next key, for example the second of two
   * concurrent rotations. There is no such delay if the current key cannot sign.
   *
   * @throws HttpError conflict while the next key is too young; unavailable without a
   * key-encryption key
   */
  async rotate(caller: Caller): Promise<SigningKeyList> {
    this.cipher.requireKey();
    const list = await inTransaction(this.dataSource, async (manager) => {
      await this.repository.lock(manager);
      const keys = await this.repository.list(manager);
      const [current, next] = [findByState(keys, 'current'), findByState(keys, 'next')];
      const successor = await this.findSuccessor(manager, current, next);
      if (current) await this.retire(manager, current);
      const kid = await this.promote(manager, successor);
      await this.repository.deleteExpired(manager, this.clock.now().toISOString());
      await this.audit.record(manager, caller, {
        operation: 'Rotate signing keys',
        object_kind: 'signing_key',
        object_id: kid,
        changed_fields: ['state'],
      });
      return this.list(manager);
    });
    await this.ring.refreshOrLog();
    return list;
  }

  /**
   * Removes a key from the key set at once, and replaces a current or next key.
   *
   * @throws HttpError not_found; unavailable without a key-encryption key
   */
  async withdraw(caller: Caller, kid: string): Promise<void> {
    this.cipher.requireKey();
    await inTransaction(this.dataSource, async (manager) => {
      await this.repository.lock(manager);
      const keys = await this.repository.list(manager);
      const key = keys.find((candidate) => candidate.kid === kid && this.isPublished(candidate));
      if (!key) throw new HttpError('not_found', 'there is no such signing key');
      await this.repository.delete(manager, kid);
      if (key.state === 'current')
        await this.promote(manager, await this.findSuccessor(manager, undefined, findByState(keys, 'next')));
      if (key.state === 'next') await this.keyFactory.create(manager, 'next');
      await this.audit.record(manager, caller, {
        operation: 'Withdraw signing key',
        object_kind: 'signing_key',
        object_id: kid,
        changed_fields: ['state'],
      });
    });
    await this.ring.refreshOrLog();
  }

  /**
   * Makes the successor, or a new key without one, the current key, and creates a new next key.
   * @returns kid of the current key
   */
  private async promote(manager: EntityManager, successor: string | undefined): Promise<string> {
    if (successor) await this.repository.activate(manager, successor, this.clock.now().toISOString());
    const kid = successor ?? (await this.keyFactory.create(manager, 'current'));
    await this.keyFactory.create(manager, 'next');
    return kid;
  }

  private isPublished({ shown_until }: StoredSigningKey): boolean {
    return shown_until === null || shown_until > this.clock.now().toISOString();
  }

  /**
   * Returns the kid of the next key for promotion. Deletes a next key that cannot be decrypted.
   * @returns undefined without a usable next key
   */
  private async findSuccessor(
    manager: EntityManager,
    current: StoredSigningKey | undefined,
    next: StoredSigningKey | undefined,
  ): Promise<string | undefined> {
    if (!next) return undefined;
    if (!(await this.keyFactory.openPrivateKey(next.kid, manager))) {
      await this.repository.delete(manager, next.kid);
      return undefined;
    }
    const waitMs = getActivationDelayMs(next, this.clock.now());
    const canSign = current && (await this.keyFactory.openPrivateKey(current.kid, manager));
    if (waitMs > 0 && canSign)
      throw new HttpError(
        'conflict',
        `the next key was created at ${next.created_at}, and clients may not have it yet; rotate again in ${Math.ceil(waitMs / 1000)} s`,
      );
    return next.kid;
  }

  private async retire(manager: EntityManager, { kid }: StoredSigningKey): Promise<void> {
    const now = this.clock.now();
    const lifetimeMs = this.settings.CONFIG_LIFETIME_SECONDS * 1000;
    const until = getShownUntil(now, {
      lifetimeMs,
      graceMs: getLongestGraceMs(await this.clientConfig.find(manager), lifetimeMs),
      lastEnd: await this.repository.findLatestExpiry(manager, kid),
    });
    await this.repository.retire(manager, kid, now.toISOString(), until.toISOString());
  }
}

const findByState = (keys: readonly StoredSigningKey[], state: 'current' | 'next') =>
  keys.find((key) => key.state === state);
