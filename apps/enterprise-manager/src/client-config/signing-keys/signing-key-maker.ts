import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SealedTables } from '../../secrets/key-encryption/sealed-tables.ts';
import { makePair } from './key-pair.ts';
import { SigningKeysRepository } from './signing-keys.repository.ts';

const contextOf = (kid: string): string => `signing_key:${kid}`;

/** Makes signing keys, and seals and opens their private halves. */
@Injectable()
export class SigningKeyMaker {
  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly cipher: EnvelopeCipher,
    private readonly clock: Clock,
    private readonly log: Log,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'signing_key_secrets',
      idType: 'text',
      contextColumns: [],
      contextOf: ({ id }) => contextOf(id),
    });
  }

  /**
   * Makes and stores a key.
   * @returns its kid.
   * @throws MissingKeyError without a key-encryption key
   */
  async make(manager: EntityManager, state: 'next' | 'current'): Promise<string> {
    const { kid, x, y, privateJwk } = await makePair();
    const now = this.clock.now().toISOString();
    try {
      const sealed = this.cipher.seal(privateJwk, contextOf(kid));
      const activated_at = state === 'current' ? now : null;
      const key = { kid, state, x, y, created_at: now, activated_at, retired_at: null, shown_until: null };
      await this.repository.insert(manager, key, sealed);
      return kid;
    } finally {
      privateJwk.fill(0);
    }
  }

  /**
   * The private half of a key as JSON; undefined when it is not there or cannot be opened here,
   * which is logged.
   */
  async open(kid: string, manager?: EntityManager): Promise<Uint8Array | undefined> {
    const sealed = await this.repository.secretOf(kid, manager);
    if (!sealed) return undefined;
    try {
      return this.cipher.open(sealed, contextOf(kid));
    } catch (error) {
      this.log.error({ err: error, kid }, 'a signing key cannot be opened');
      return undefined;
    }
  }
}
