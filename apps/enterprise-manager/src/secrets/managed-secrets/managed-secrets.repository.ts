import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { keysetSql, type KeysetStep } from '../../database/keyset.ts';
import type { Stored } from '../../database/stored.ts';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import type { ManagedSecretRow } from './managed-secret.entity.ts';
import type { User } from './secret-users.ts';

/** A stored secret without its value. */
export type StoredSecret = Pick<Stored<ManagedSecretRow>, 'id' | 'name' | 'version' | 'created_at' | 'updated_at'>;

/** A stored secret with its sealed value. */
export type SealedSecret = StoredSecret & SealedValue;

/** A connector or an identity provider that uses a secret, and where. */
export type SecretUser = User & { field: string };

const SHOWN = 'id, name, version, created_at, updated_at';
const SEALED = `${SHOWN}, key_version, wrapped_key, ciphertext`;

/**
 * How a transaction holds a secret: `use` keeps it from being deleted or given another value,
 * `write` keeps everybody else from both.
 */
export type Hold = 'use' | 'write';

const LOCKS = { use: 'FOR SHARE', write: 'FOR UPDATE' } as const satisfies Record<Hold, string>;

/** Managed secrets in the database. */
@Injectable()
export class ManagedSecretsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Secrets in the order in which they were made. */
  async list(nameKey: string | undefined, step: KeysetStep): Promise<StoredSecret[]> {
    const params: unknown[] = [];
    const named = nameKey === undefined ? 'TRUE' : `name_key = $${params.push(nameKey)}`;
    const { where, orderBy } = keysetSql(
      step,
      [
        ['created_at', 'timestamptz'],
        ['id', 'uuid'],
      ],
      'ascending',
      params,
    );
    return this.dataSource.query(
      `SELECT ${SHOWN} FROM managed_secrets WHERE ${named} AND ${where} ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** A secret with its sealed value. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<SealedSecret | undefined> {
    const [row]: SealedSecret[] = await manager.query(`SELECT ${SEALED} FROM managed_secrets WHERE id = $1`, [id]);
    return row;
  }

  /** The secret of a name, in its comparison form. */
  async findByName(nameKey: string): Promise<SealedSecret | undefined> {
    const [row]: SealedSecret[] = await this.dataSource.query(
      `SELECT ${SEALED} FROM managed_secrets WHERE name_key = $1`,
      [nameKey],
    );
    return row;
  }

  /** A secret, held until the transaction ends. */
  async hold(manager: EntityManager, id: string, hold: Hold): Promise<StoredSecret | undefined> {
    const [row]: StoredSecret[] = await manager.query(
      `SELECT ${SHOWN} FROM managed_secrets WHERE id = $1 ${LOCKS[hold]}`,
      [id],
    );
    return row;
  }

  /**
   * A secret that an available connector of a gateway uses, itself or by its identity provider: one
   * that the gateway's snapshot names.
   */
  async findOfGateway(manager: EntityManager, gatewayId: string, id: string): Promise<SealedSecret | undefined> {
    const [row]: SealedSecret[] = await manager.query(
      `SELECT ${SEALED} FROM managed_secrets AS secret WHERE id = $2 AND (EXISTS (
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

  /** What uses a secret: connectors in order of their names, then identity providers. */
  async usersOf(manager: EntityManager, id: string): Promise<SecretUser[]> {
    const connectors: SecretUser[] = await manager.query(
      `SELECT 'connector' AS kind, connector.gateway_id, connector.name, used.field
       FROM connector_secrets AS used JOIN connectors AS connector ON connector.id = used.connector_id
       WHERE used.secret_id = $1 ORDER BY connector.gateway_id, connector.name_key, used.field`,
      [id],
    );
    const providers: SecretUser[] = await manager.query(
      `SELECT 'identity_provider' AS kind, provider.name, used.field
       FROM identity_provider_secrets AS used JOIN connector_identity_providers AS provider ON provider.id = used.provider_id
       WHERE used.secret_id = $1 ORDER BY provider.name_key, used.field`,
      [id],
    );
    return [...connectors, ...providers];
  }

  /** Adds a secret. @throws a unique violation of managed_secrets_name_unique */
  async insert(manager: EntityManager, secret: SealedSecret & { name_key: string }): Promise<void> {
    await manager.query(
      `INSERT INTO managed_secrets (id, name, name_key, version, key_version, wrapped_key, ciphertext, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        secret.id,
        secret.name,
        secret.name_key,
        secret.version,
        secret.key_version,
        secret.wrapped_key,
        secret.ciphertext,
        secret.created_at,
        secret.updated_at,
      ],
    );
  }

  /** Gives a secret its next value. */
  async setValue(
    manager: EntityManager,
    { id, version, updated_at }: StoredSecret,
    { key_version, wrapped_key, ciphertext }: SealedValue,
  ): Promise<void> {
    await manager.query(
      `UPDATE managed_secrets SET version = $2, key_version = $3, wrapped_key = $4, ciphertext = $5, updated_at = $6 WHERE id = $1`,
      [id, version, key_version, wrapped_key, ciphertext, updated_at],
    );
  }

  /** Puts the same value under another key, unless the value or its key has changed meanwhile. */
  async setWrap(manager: EntityManager, before: SealedSecret, after: SealedValue): Promise<void> {
    await manager.query(
      `UPDATE managed_secrets SET key_version = $3, wrapped_key = $4 WHERE id = $1 AND version = $2 AND wrapped_key = $5`,
      [before.id, before.version, after.key_version, after.wrapped_key, before.wrapped_key],
    );
  }

  /** Removes a secret. @throws a foreign key violation when it is in use */
  async remove(manager: EntityManager, id: string): Promise<void> {
    await manager.query('DELETE FROM managed_secrets WHERE id = $1', [id]);
  }
}
