import { isUuid } from '../../validation/text.ts';
import { statement } from '@gatehouse/database/statement';
import { compileGrants } from '@gatehouse/policy/grants';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectorPolicyRow, type PolicyMode } from './connector-policy.entity.ts';

/** A policy with its granted groups, read in one statement. */
export interface StoredPolicy {
  connector_id: string;
  mode: PolicyMode;
  cedar_document: string | null;
  version: number;
  granted: { id: string; name: string; display_name: string }[];
}

const POLICY = `
  SELECT p.connector_id, p.mode, p.cedar_document, p.version, COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'display_name', g.display_name) ORDER BY g.id)
    FROM connector_policy_grants o JOIN groups g ON g.id = o.group_id WHERE o.connector_id = p.connector_id), '[]') AS granted
  FROM connector_policies p`;
const BY_CONNECTOR = statement<StoredPolicy>(`${POLICY} WHERE p.connector_id = $1`);
const BY_CONNECTORS = statement<StoredPolicy>(`${POLICY} WHERE p.connector_id = ANY ($1::uuid[])`);

/** Returns the Cedar text of a policy: the written document, or the compiled grants. */
export function getDocument({ connector_id, mode, cedar_document, granted }: StoredPolicy): string {
  return mode === 'cedar'
    ? (cedar_document ?? '')
    : compileGrants(
        connector_id,
        granted.map(({ id }) => id),
      );
}

/** The queries of policies. */
@Injectable()
export class PoliciesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates the policy of a new connector: structured, without granted groups. */
  async insert(manager: EntityManager, connectorId: string, now: string): Promise<void> {
    await manager.insert(ConnectorPolicyRow, {
      connector_id: connectorId,
      mode: 'structured',
      version: '1',
      updated_at: now,
    });
  }

  /** Finds the policy of a connector. */
  find(connectorId: string, manager: EntityManager = this.dataSource.manager): Promise<StoredPolicy | undefined> {
    return BY_CONNECTOR.row(manager, [connectorId]);
  }

  /** Lists the policies of connectors. */
  findMany(connectorIds: readonly string[], manager: EntityManager = this.dataSource.manager): Promise<StoredPolicy[]> {
    return BY_CONNECTORS.rows(manager, [connectorIds]);
  }

  /** Finds the policy and locks it against writes until the transaction ends. */
  async hold(manager: EntityManager, connectorId: string): Promise<StoredPolicy | undefined> {
    await manager.query('SELECT 1 FROM connector_policies WHERE connector_id = $1 FOR UPDATE', [connectorId]);
    return this.find(connectorId, manager);
  }

  /** Sets the Cedar document; undefined switches to granted groups. */
  async setDocument(
    manager: EntityManager,
    connectorId: string,
    document: string | undefined,
    now: string,
  ): Promise<void> {
    await manager.update(ConnectorPolicyRow, connectorId, {
      mode: document === undefined ? 'structured' : 'cedar',
      cedar_document: document ?? null,
      version: () => 'version + 1',
      updated_at: now,
    });
  }

  /** Returns those of the texts that are ids of groups. */
  async selectExistingGroupIds(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.filterIds(manager, 'groups', ids);
  }

  /** Returns those of the texts that are ids of users. */
  async selectExistingUserIds(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.filterIds(manager, 'users', ids);
  }

  private async filterIds(manager: EntityManager, table: 'groups' | 'users', ids: readonly string[]) {
    const rows: { id: string }[] = await manager.query(`SELECT id FROM ${table} WHERE id = ANY ($1::uuid[])`, [
      ids.filter((id) => isUuid(id) && id === id.toLowerCase()),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Grants exactly these groups. A trigger increments the version if this is a change. */
  async replaceGrants(manager: EntityManager, connectorId: string, groupIds: readonly string[]): Promise<void> {
    await manager.query(
      'DELETE FROM connector_policy_grants WHERE connector_id = $1 AND group_id <> ALL ($2::uuid[])',
      [connectorId, groupIds],
    );
    await manager.query(
      `INSERT INTO connector_policy_grants (connector_id, group_id)
       SELECT $1, id FROM unnest($2::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
      [connectorId, groupIds],
    );
  }
}
