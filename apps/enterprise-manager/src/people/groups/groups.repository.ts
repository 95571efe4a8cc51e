import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { toComparisonKey, toLikePattern } from '../../validation/names.ts';
import { GROUP_COLUMNS, selectGroupsOfUser, MEMBER_COUNT } from '../group-sql.ts';
import { GroupRow } from './group.entity.ts';
import type { StoredGroup } from './group.ts';

/** A stored group and the number of its direct and indirect users, each counted once. */
export type CountedGroup = StoredGroup & { transitive_member_count: number };

/** A direct member: a user or a group. */
export interface DirectMember {
  id: string;
  display: string;
  type: 'User' | 'Group';
}

/** The groups that a list contains. Names are compared in their comparison form. */
export interface GroupFilter {
  name?: string | undefined;
  display_name?: string | undefined;
  source?: string | undefined;
  search?: string | undefined;
  /** Id of a user: only groups that contain it, directly or through subgroups. */
  holding_user?: string | undefined;
  /** Id of a group: only its direct subgroups. */
  directly_in?: string | undefined;
}

const COUNTED = `SELECT ${GROUP_COLUMNS}, (${MEMBER_COUNT}) AS transitive_member_count`;
const BY_ID = statement<CountedGroup>(`${COUNTED} FROM groups g WHERE g.id = $1`);
const WITH_MEMBERS = statement<CountedGroup & { members: DirectMember[] }>(
  `${COUNTED}, COALESCE((
     SELECT jsonb_agg(jsonb_build_object('id', id, 'display', display_name, 'type', type) ORDER BY type, id) FROM (
       SELECT * FROM (
         (SELECT c.id, c.display_name, 'Group' AS type FROM group_subgroups s JOIN groups c ON c.id = s.child_id
          WHERE s.parent_id = g.id ORDER BY s.child_id LIMIT $2)
         UNION ALL
         (SELECT u.id, u.display_name, 'User' AS type FROM group_users m JOIN users u ON u.id = m.user_id
          WHERE m.group_id = g.id ORDER BY m.user_id LIMIT $2)
       ) AS direct LIMIT $2) AS member), '[]') AS members
   FROM groups g WHERE g.id = $1`,
);
const IDS_HOLDING = statement<{ id: string }>(`${selectGroupsOfUser('$1::uuid')} ORDER BY id`);
const IDS_WITH_HOLDING = statement<{ id: string }>(`
  WITH RECURSIVE holding AS (
    SELECT id FROM groups WHERE id = ANY ($1::uuid[])
    UNION SELECT s.parent_id FROM holding JOIN group_subgroups s ON s.child_id = holding.id)
  SELECT id FROM holding ORDER BY id`);
const LOCK = statement<StoredGroup>(`SELECT ${GROUP_COLUMNS} FROM groups g WHERE g.id = $1 FOR NO KEY UPDATE`);

/** Groups in the database. Written as SQL: member counts, recursive reads and locks. */
@Injectable()
export class GroupsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists groups in the order of their creation. */
  async list(filter: GroupFilter, step: KeysetStep): Promise<CountedGroup[]> {
    const params: unknown[] = [];
    const conditions = buildGroupConditions(filter, params);
    const select = `${COUNTED} FROM groups g`;
    return selectByCreation(this.dataSource, { select, alias: 'g', conditions, params }, step);
  }

  /** Finds a group with its count and its first direct members, groups before users. */
  findWithMembers(id: string, limit: number, manager: EntityManager = this.dataSource.manager) {
    return WITH_MEMBERS.row(manager, [id, limit]);
  }

  /** Finds a group with its count. */
  find(id: string, manager: EntityManager = this.dataSource.manager): Promise<CountedGroup | undefined> {
    return BY_ID.row(manager, [id]);
  }

  /** Lists the ids of the groups that contain a user, directly or through subgroups. */
  async listGroupIdsOfUser(userId: string): Promise<string[]> {
    return (await IDS_HOLDING.rows(this.dataSource.manager, [userId])).map(({ id }) => id);
  }

  /**
   * Lists the ids of the given groups that exist, and of the groups that contain them, directly or
   * through subgroups.
   */
  async listIdsWithParents(groupIds: readonly string[]): Promise<string[]> {
    return (await IDS_WITH_HOLDING.rows(this.dataSource.manager, [groupIds])).map(({ id }) => id);
  }

  /** Locks a group against every other change until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<StoredGroup | undefined> {
    return LOCK.row(manager, [id]);
  }

  /**
   * Adds a group.
   * @throws a unique violation of groups_name_unique or groups_display_name_unique
   */
  async insert(manager: EntityManager, group: StoredGroup): Promise<void> {
    await manager.insert(GroupRow, group);
  }

  /** Writes the names and the description of a group. @throws as `insert` */
  async update(manager: EntityManager, group: StoredGroup): Promise<void> {
    const { id, name, display_name, display_name_key, description, search_key, updated_at } = group;
    const fields = { name, display_name, display_name_key, description, search_key, updated_at };
    await manager.update(GroupRow, { id }, { ...fields, version: () => 'version + 1' });
  }

  /** Removes a group and its memberships on both sides. */
  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(GroupRow, { id });
  }
}

/** The WHERE conditions of a filter over `groups g`. @param params gets the values appended */
function buildGroupConditions(filter: GroupFilter, params: unknown[]): string[] {
  const { name, display_name, source, search, holding_user, directly_in } = filter;
  return [
    name !== undefined && `g.name = $${params.push(toComparisonKey(name))}`,
    display_name !== undefined && `g.display_name_key = $${params.push(toComparisonKey(display_name))}`,
    source !== undefined && `g.source = $${params.push(source)}`,
    search !== undefined && `g.search_key LIKE $${params.push(toLikePattern(search))}`,
    holding_user !== undefined && `g.id IN (${selectGroupsOfUser(`$${params.push(holding_user)}::uuid`)})`,
    directly_in !== undefined &&
      `g.id IN (SELECT child_id FROM group_subgroups WHERE parent_id = $${params.push(directly_in)}::uuid)`,
  ].filter((condition) => condition !== false);
}
