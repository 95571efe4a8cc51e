import type { KubernetesSecretRef } from '@gatehouse/kubernetes/secret-ref';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { formatBackgroundComment } from '../../database/background-comment.ts';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import type { Stored } from '@gatehouse/database/stored';
import type { SecretRef } from '../../secrets/references/secret-ref.dto.ts';
import type { ProviderCheck } from './provider-check-outcome.ts';
import { IdentityProviderRow } from './identity-provider.entity.ts';
import type { ProviderSecretField } from './identity-provider.ts';

/** The begin of the statements of background checks. */
export const BACKGROUND_TASK = formatBackgroundComment('discovery of providers');

/** A stored provider with the references to its secrets by field. */
export type StoredProvider = Stored<IdentityProviderRow> & {
  secrets: Partial<Record<ProviderSecretField, SecretRef>>;
  discovery: ProviderCheck;
};

/** The columns of a provider that a write replaces. */
export type ProviderState = Pick<
  Stored<IdentityProviderRow>,
  'name' | 'name_key' | 'provider_type' | 'config' | 'updated_at'
>;

/** A connector that uses a provider. */
export interface ProviderReference {
  gateway_id: string;
  name: string;
  /** The type of its authentication. */
  auth_type: string;
}

/**
 * The columns of a provider. Replicas of the release before the table of checks saved providers
 * after a successful check, without a row.
 */
const SELECT = `SELECT provider.*, (SELECT COALESCE(jsonb_object_agg(used.field, jsonb_strip_nulls(
    jsonb_build_object('managed_secret_id', used.secret_id, 'kubernetes_secret', used.kubernetes_secret))), '{}')
  FROM identity_provider_secrets AS used WHERE used.provider_id = provider.id) AS secrets,
  (SELECT jsonb_strip_nulls(jsonb_build_object('status', COALESCE(found.status, 'ok'), 'error', found.error,
    'checked_at', to_char(COALESCE(found.checked_at, provider.updated_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  FROM (SELECT provider.id) AS one LEFT JOIN identity_provider_discoveries AS found ON found.provider_id = one.id) AS discovery
  FROM connector_identity_providers AS provider`;

/** The queries of identity providers. */
@Injectable()
export class IdentityProvidersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Lists providers in the order of their creation.
   * @param nameKey only the provider with this name
   */
  async list(nameKey: string | undefined, step: KeysetStep): Promise<StoredProvider[]> {
    const conditions = nameKey === undefined ? [] : ['name_key = $1'];
    const params = nameKey === undefined ? [] : [nameKey];
    return selectByCreation(this.dataSource, { select: SELECT, alias: 'provider', conditions, params }, step);
  }

  /** Finds a provider. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<StoredProvider | undefined> {
    const [row]: StoredProvider[] = await manager.query(`${SELECT} WHERE id = $1`, [id]);
    return row;
  }

  /** Finds a provider and locks it against writes and new uses until the transaction ends. */
  async hold(manager: EntityManager, id: string): Promise<StoredProvider | undefined> {
    await manager.query('SELECT FROM connector_identity_providers WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** Finds the type of a provider and locks it against changes until the transaction ends. */
  async use(manager: EntityManager, id: string): Promise<Pick<StoredProvider, 'provider_type'> | undefined> {
    const [row]: Pick<StoredProvider, 'provider_type'>[] = await manager.query(
      'SELECT provider_type FROM connector_identity_providers WHERE id = $1 FOR SHARE',
      [id],
    );
    return row;
  }

  /** Lists the connectors that use a provider, by name. */
  async listConnectorsOfProvider(manager: EntityManager, id: string): Promise<ProviderReference[]> {
    return manager.query(
      `SELECT gateway_id, name, auth ->> 'type' AS auth_type FROM connectors
       WHERE identity_provider_id = $1 ORDER BY gateway_id, name_key`,
      [id],
    );
  }

  /** Lists the providers of the available connectors of a gateway. */
  async listOfGateway(gatewayId: string, manager: EntityManager): Promise<StoredProviderWithVersions[]> {
    return manager.query(
      `SELECT provider.id, provider.name, provider.provider_type, provider.config,
         (SELECT COALESCE(jsonb_object_agg(used.field, jsonb_build_object('id', secret.id, 'version', secret.version)), '{}')
          FROM identity_provider_secrets AS used JOIN managed_secrets AS secret ON secret.id = used.secret_id
          WHERE used.provider_id = provider.id) AS secrets,
         (SELECT jsonb_object_agg(used.field, used.kubernetes_secret) FROM identity_provider_secrets AS used
          WHERE used.provider_id = provider.id AND used.kubernetes_secret IS NOT NULL) AS kubernetes_secrets
       FROM connector_identity_providers AS provider WHERE id IN (
         SELECT identity_provider_id FROM connectors WHERE gateway_id = $1 AND status = 'available')`,
      [gatewayId],
    );
  }

  /** Adds a provider. @throws a unique violation of connector_identity_providers_name_unique */
  async insert(manager: EntityManager, row: Omit<StoredProvider, 'secrets' | 'discovery'>): Promise<void> {
    await manager.insert(IdentityProviderRow, row);
  }

  /**
   * Replaces the state of a provider.
   * @throws a unique violation of connector_identity_providers_name_unique
   */
  async update(manager: EntityManager, id: string, state: ProviderState): Promise<void> {
    await manager.update(IdentityProviderRow, id, { ...state, revision: () => 'revision + 1' });
  }

  /** Stores the outcome of a check. @param mark comment at the begin of the statement */
  async setCheck(manager: EntityManager, id: string, found: ProviderCheck, mark = ''): Promise<void> {
    const { status, checked_at, error } = found;
    await manager.query(
      `${mark} INSERT INTO identity_provider_discoveries (provider_id, status, checked_at, error) VALUES ($1, $2, $3, $4)
       ON CONFLICT (provider_id) DO UPDATE
       SET status = EXCLUDED.status, checked_at = EXCLUDED.checked_at, error = EXCLUDED.error`,
      [id, status, checked_at, error ?? null],
    );
  }

  /**
   * Takes a few providers whose last check failed before a time. It sets their time of check, so
   * that no other replica takes them.
   */
  async takeFailed(before: string, now: string, limit: number): Promise<StoredProvider[]> {
    const [taken]: [{ provider_id: string }[]] = await this.dataSource.query(
      `${BACKGROUND_TASK} UPDATE identity_provider_discoveries SET checked_at = $2 WHERE provider_id IN (
         SELECT provider_id FROM identity_provider_discoveries
         WHERE status IN ('unreachable', 'contradicts') AND checked_at <= $1
         ORDER BY checked_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING provider_id`,
      [before, now, limit],
    );
    const found = await Promise.all(taken.map(({ provider_id }) => this.find(provider_id)));
    return found.filter((provider) => provider !== undefined);
  }

  /** Deletes a provider. @throws a foreign key violation if it is in use */
  async remove(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(IdentityProviderRow, id);
  }
}

/** A provider for gateway snapshots, with the versions of its secrets. */
export type StoredProviderWithVersions = Pick<StoredProvider, 'id' | 'name' | 'provider_type' | 'config'> & {
  secrets: Record<string, { id: string; version: number }>;
  kubernetes_secrets: Record<string, KubernetesSecretRef> | null;
};
