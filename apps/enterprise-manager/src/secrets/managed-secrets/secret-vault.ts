import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { toComparisonKey } from '../../validation/names.ts';
import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { getContext } from './managed-secret.ts';
import { ManagedSecretsRepository, type SealedSecret, type StoredSecret } from './managed-secrets.repository.ts';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import type { SecretName } from './secret-name.ts';

/** Seals and opens the values of managed secrets inside the service. */
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
      getContext: ({ id, version }) => getContext({ id, version: Number(version) }),
    });
  }

  /** Seals a value for a version of a secret. @throws MissingKeyError without a key */
  seal(secret: { id: string; version: number }, value: string): SealedValue {
    return this.cipher.seal(Buffer.from(value), getContext(secret));
  }

  /** Finds a secret by its id or name. */
  find(name: SecretName): Promise<SealedSecret | undefined> {
    return 'id' in name ? this.secrets.find(name.id) : this.secrets.findByName(toComparisonKey(name.name));
  }

  /** Prevents the deletion and a new value of a secret until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<StoredSecret | undefined> {
    return this.secrets.findAndLock(manager, id, 'share');
  }

  /**
   * Opens the value of a secret, and rewraps it if an older key wraps it.
   * @throws MissingKeyError when its key is not configured; DecryptionError when the row was
   * changed
   */
  async open(secret: SealedSecret, manager: EntityManager = this.dataSource.manager): Promise<string> {
    const context = getContext(secret);
    const plaintext = this.cipher.open(secret, context);
    if (secret.key_version < (this.cipher.currentVersion ?? 0))
      await this.secrets.setWrappedKey(manager, secret, this.cipher.rewrap(secret, context));
    return Buffer.from(plaintext).toString();
  }
}
