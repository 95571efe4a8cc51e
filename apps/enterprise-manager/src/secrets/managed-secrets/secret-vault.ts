import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { comparisonKey } from '../../validation/names.ts';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { contextOf } from './managed-secret.ts';
import { ManagedSecretsRepository, type SealedSecret, type StoredSecret } from './managed-secrets.repository.ts';
import { SealedTables } from '../key-encryption/sealed-tables.ts';
import type { SecretName } from './secret-name.ts';

/** Seals and opens the values of managed secrets, inside the service. */
@Injectable()
export class SecretVault {
  constructor(
    private readonly cipher: EnvelopeCipher,
    private readonly secrets: ManagedSecretsRepository,
    private readonly dataSource: DataSource,
    tables: SealedTables,
  ) {
    tables.register({
      table: 'managed_secrets',
      idType: 'uuid',
      contextColumns: ['version'],
      contextOf: ({ id, version }) => contextOf({ id, version: Number(version) }),
    });
  }

  /** Seals a value for a version of a secret. @throws MissingKeyError without a key */
  seal(secret: { id: string; version: number }, value: string): SealedValue {
    return this.cipher.seal(Buffer.from(value), contextOf(secret));
  }

  /** The secret that is meant. */
  find(name: SecretName): Promise<SealedSecret | undefined> {
    return 'id' in name ? this.secrets.find(name.id) : this.secrets.findByName(comparisonKey(name.name));
  }

  /** Keeps a secret from being deleted or given another value until the transaction ends. */
  hold(manager: EntityManager, id: string): Promise<StoredSecret | undefined> {
    return this.secrets.hold(manager, id, 'use');
  }

  /**
   * The value of a secret. One that lies under an older key is brought under the current one on
   * this occasion.
   * @throws MissingKeyError when its key is not configured; DecryptionError when the row was
   * changed
   */
  async open(secret: SealedSecret, manager: EntityManager = this.dataSource.manager): Promise<string> {
    const context = contextOf(secret);
    const plaintext = this.cipher.open(secret, context);
    if (secret.key_version < (this.cipher.currentVersion ?? 0))
      await this.secrets.setWrap(manager, secret, this.cipher.rewrap(secret, context));
    return Buffer.from(plaintext).toString();
  }
}
