import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { createKeyPair } from './key-pair.ts';
import { SigningKeysRepository } from './signing-keys.repository.ts';

const getSealingContext = (kid: string): string => `signing_key:${kid}`;

/** Creates signing keys, and encrypts and decrypts their private keys. */
@Injectable()
export class SigningKeyFactory {
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
      getContext: ({ id }) => getSealingContext(id),
    });
  }

  /**
   * Creates and stores a key.
   * @returns its kid
   * @throws MissingKeyError without a key-encryption key
   */
  async create(manager: EntityManager, state: 'next' | 'current'): Promise<string> {
    const { kid, x, y, privateJwk } = await createKeyPair();
    const now = this.clock.now().toISOString();
    try {
      const sealed = this.cipher.seal(privateJwk, getSealingContext(kid));
      const activated_at = state === 'current' ? now : null;
      const key = { kid, state, x, y, created_at: now, activated_at, retired_at: null, shown_until: null };
      await this.repository.insert(manager, key, sealed);
      return kid;
    } finally {
      privateJwk.fill(0);
    }
  }

  /**
   * Decrypts the private key of a signing key.
   * @returns a JWK as JSON text; undefined if the key does not exist or cannot be decrypted, which
   * is logged
   */
  async openPrivateKey(kid: string, manager?: EntityManager): Promise<Uint8Array | undefined> {
    const sealed = await this.repository.findSecret(kid, manager);
    if (!sealed) return undefined;
    try {
      return this.cipher.open(sealed, getSealingContext(kid));
    } catch (error) {
      this.log.error(
        { err: error, kid },
        'a signing key cannot be decrypted; check that its key-encryption key is configured',
      );
      return undefined;
    }
  }
}
