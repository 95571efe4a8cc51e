import { isUuid } from '../../validation/text.ts';
import { statement } from '@gatehouse/database/statement';
import { compileGrants } from '@gatehouse/policy/grants';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PolicyMode } from './connector-policy.entity.ts';

/** A policy with the groups it grants, as it is at one moment. */
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

/** The Cedar text that decides: what an administrator wrote, or the granted groups compiled. */
export function documentOf({ connector_id, mode, cedar_document, granted }: StoredPolicy): string {
  return mode === 'cedar'
    ? (cedar_document ?? '')
    : compileGrants(
        connector_id,
        granted.map(({ id }) => id),
      );
}

/** The policies in the database. */
@Injectable()
export class PoliciesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Begins the policy of a new connector: structured, and nobody is granted. */
  async insert(manager: EntityManager, connectorId: string, now: string): Promise<void> {
    await manager.query(
      `INSERT INTO connector_policies (connector_id, mode, version, updated_at) VALUES ($1, 'structured', 1, $2)`,
      [connectorId, now],
    );
  }

  /** The policy of a connector. */
  find(connectorId: string, manager: EntityManager = this.dataSource.manager): Promise<StoredPolicy | undefined> {
    return BY_CONNECTOR.row(manager, [connectorId]);
  }

  /** The policies of some connectors. */
  findMany(connectorIds: readonly string[], manager: EntityManager = this.dataSource.manager): Promise<StoredPolicy[]> {
    return BY_CONNECTORS.rows(manager, [connectorIds]);
  }

  /** Keeps groups from going away until the transaction ends. @returns those that exist */
  async holdGroups(manager: EntityManager, groupIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { id: string }[] = await manager.query(
      'SELECT id FROM groups WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE',
      [groupIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The policy, and nobody else writes it until the transaction ends. */
  async hold(manager: EntityManager, connectorId: string): Promise<StoredPolicy | undefined> {
    await manager.query('SELECT 1 FROM connector_policies WHERE connector_id = $1 FOR UPDATE', [connectorId]);
    return this.find(connectorId, manager);
  }

  /** Has the policy written in Cedar from now on, or by granted groups (no document). */
  async setDocument(
    manager: EntityManager,
    connectorId: string,
    document: string | undefined,
    now: string,
  ): Promise<void> {
    await manager.query(
      `UPDATE connector_policies SET mode = $2, cedar_document = $3, version = version + 1, updated_at = $4
       WHERE connector_id = $1`,
      [connectorId, document === undefined ? 'structured' : 'cedar', document ?? null, now],
    );
  }

  /** Those of the ids that are groups of the directory; any text may be asked for. */
  async groupsAmong(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.among(manager, 'groups', ids);
  }

  /** Those of the ids that are people of the directory; any text may be asked for. */
  async usersAmong(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.among(manager, 'users', ids);
  }

  private async among(manager: EntityManager, table: 'groups' | 'users', ids: readonly string[]) {
    const rows: { id: string }[] = await manager.query(`SELECT id FROM ${table} WHERE id = ANY ($1::uuid[])`, [
      ids.filter((id) => isUuid(id) && id === id.toLowerCase()),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Grants exactly these groups; the version grows when that is a change. */
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
