import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import type { Stored } from '@gatehouse/database/stored';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { ManagedSecretRow } from './managed-secret.entity.ts';
import type { ObjectReference } from './secret-references.ts';

/** A stored secret without its sealed value. */
export type StoredSecret = Pick<Stored<ManagedSecretRow>, 'id' | 'name' | 'version' | 'created_at' | 'updated_at'>;

/** A stored secret with its sealed value. */
export type SealedSecret = StoredSecret & SealedValue;

/** A connector or an identity provider that uses a secret, and the field that refers to it. */
export type SecretReference = ObjectReference & { field: string };

const PUBLIC_COLUMNS = 'id, name, version, created_at, updated_at';

/**
 * The row lock of a secret. `share` prevents deletion and a new value; `update` also prevents other
 * locks.
 */
export type SecretLock = 'share' | 'update';

const LOCK_CLAUSES = { share: 'FOR SHARE', update: 'FOR UPDATE' } as const satisfies Record<SecretLock, string>;

/** Managed secrets in the database. */
@Injectable()
export class ManagedSecretsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists secrets in the order of their creation. */
  async list(nameKey: string | undefined, step: KeysetStep): Promise<StoredSecret[]> {
    const conditions = nameKey === undefined ? [] : ['name_key = $1'];
    const params = nameKey === undefined ? [] : [nameKey];
    const select = `SELECT ${PUBLIC_COLUMNS} FROM managed_secrets AS secret`;
    return selectByCreation(this.dataSource, { select, alias: 'secret', conditions, params }, step);
  }

  /** Finds a secret with its sealed value. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<SealedSecret | undefined> {
    return (await manager.findOneBy(ManagedSecretRow, { id })) ?? undefined;
  }

  /** Finds a secret by its name in the comparison form. */
  async findByName(nameKey: string): Promise<SealedSecret | undefined> {
    return (await this.dataSource.manager.findOneBy(ManagedSecretRow, { name_key: nameKey })) ?? undefined;
  }

  /** Finds a secret and locks it until the transaction ends. */
  async findAndLock(manager: EntityManager, id: string, lock: SecretLock): Promise<StoredSecret | undefined> {
    const [row]: StoredSecret[] = await manager.query(
      `SELECT ${PUBLIC_COLUMNS} FROM managed_secrets WHERE id = $1 ${LOCK_CLAUSES[lock]}`,
      [id],
    );
    return row;
  }

  /**
   * Finds a secret that the snapshot of a gateway contains: an available connector of the gateway
   * or its identity provider uses it.
   */
  async findOfGateway(manager: EntityManager, gatewayId: string, id: string): Promise<SealedSecret | undefined> {
    const [row]: SealedSecret[] = await manager.query(
      `SELECT ${PUBLIC_COLUMNS}, key_version, wrapped_key, ciphertext FROM managed_secrets AS secret WHERE id = $2 AND (EXISTS (
         SELECT FROM connector_secrets AS used JOIN connectors AS connector ON connector.id = used.connector_id
         WHERE used.secret_id = secret.id AND connector.gateway_id = $1 AND connector.status = 'available')
       OR EXISTS (
         SELECT FROM identity_provider_secrets AS used
         JOIN connectors AS connector ON connector.identity_provider_id = used.provider_id
         WHERE used.secret_id = secret.id AND connector.gateway_id = $1 AND connector.status = 'available'))`,
      [gatewayId, id],
    );
    return row;
  }

  /** Lists the users of a secret: connectors by name, then identity providers by name. */
  async listUsers(manager: EntityManager, id: string): Promise<SecretReference[]> {
    const connectors: SecretReference[] = await manager.query(
      `SELECT 'connector' AS kind, connector.gateway_id, connector.name, used.field
       FROM connector_secrets AS used JOIN connectors AS connector ON connector.id = used.connector_id
       WHERE used.secret_id = $1 ORDER BY connector.gateway_id, connector.name_key, used.field`,
      [id],
    );
    const providers: SecretReference[] = await manager.query(
      `SELECT 'identity_provider' AS kind, provider.name, used.field
       FROM identity_provider_secrets AS used JOIN connector_identity_providers AS provider ON provider.id = used.provider_id
       WHERE used.secret_id = $1 ORDER BY provider.name_key, used.field`,
      [id],
    );
    return [...connectors, ...providers];
  }

  /** Adds a secret. @throws QueryFailedError for a name that another secret has */
  async insert(manager: EntityManager, secret: SealedSecret & { name_key: string }): Promise<void> {
    await manager.insert(ManagedSecretRow, secret);
  }

  /** Stores a new value of a secret. */
  async setValue(
    manager: EntityManager,
    { id, version, updated_at }: StoredSecret,
    { key_version, wrapped_key, ciphertext }: SealedValue,
  ): Promise<void> {
    await manager.update(ManagedSecretRow, { id }, { version, key_version, wrapped_key, ciphertext, updated_at });
  }

  /**
   * Stores a new wrapped key of the same value, unless the value or its key has changed meanwhile.
   */
  async setWrappedKey(manager: EntityManager, before: SealedSecret, after: SealedValue): Promise<void> {
    const { id, version, wrapped_key } = before;
    await manager.update(
      ManagedSecretRow,
      { id, version, wrapped_key },
      { key_version: after.key_version, wrapped_key: after.wrapped_key },
    );
  }

  /** Deletes a secret. @throws QueryFailedError when it is in use */
  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(ManagedSecretRow, { id });
  }
}
