import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GroupRow } from './group.entity.ts';
import { lockGroups } from './lock-groups.ts';
import { GroupSubgroupRow, GroupUserRow } from './membership.entity.ts';

/** Key of the advisory lock on the graph of groups: each new edge is checked against all others. */
const GRAPH_LOCK = 7_046_031;

/** The result of adding subgroups to the graph of groups. */
export interface EdgeCheck {
  cycle: boolean;
  /** Number of groups on the longest path through a new edge. */
  depth: number;
}

const CHECK_EDGES = statement<EdgeCheck>(
  `WITH RECURSIVE above AS (
     SELECT $1::uuid AS id, 1 AS height
     UNION SELECT s.parent_id, above.height + 1 FROM above JOIN group_subgroups s ON s.child_id = above.id),
   below AS (
     SELECT id, 1 AS height FROM unnest($2::uuid[]) AS id
     UNION SELECT s.child_id, below.height + 1 FROM below JOIN group_subgroups s ON s.parent_id = below.id)
   SELECT EXISTS (SELECT 1 FROM above WHERE id = ANY($2)) AS cycle,
          (SELECT max(height) FROM above) + (SELECT max(height) FROM below) AS depth`,
);

/**
 * Direct memberships in the database. All methods run in the transaction of their manager. Written
 * as SQL: locks and the recursive check.
 */
@Injectable()
export class MembershipsRepository {
  /** Adds a user to a group. @returns whether the user was not a member before */
  addUser(manager: EntityManager, group_id: string, user_id: string, created_at: string): Promise<boolean> {
    return insertNew(manager, GroupUserRow, { group_id, user_id, created_at });
  }

  /** Removes a user from a group. @returns whether the user was a member */
  async removeUser(manager: EntityManager, group_id: string, user_id: string): Promise<boolean> {
    return (await manager.delete(GroupUserRow, { group_id, user_id })).affected === 1;
  }

  /** Whether a user is a direct member of a group. */
  hasUser(manager: EntityManager, group_id: string, user_id: string): Promise<boolean> {
    return manager.existsBy(GroupUserRow, { group_id, user_id });
  }

  /** Serializes all transactions that add a subgroup until this one ends. */
  async lockGraph(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [GRAPH_LOCK]);
  }

  /**
   * Checks new subgroups against the locked graph. It visits each (group, height) once, so that a
   * graph with many paths stays cheap.
   */
  async checkEdges(manager: EntityManager, parentId: string, childIds: readonly string[]): Promise<EdgeCheck> {
    const check = await CHECK_EDGES.row(manager, [parentId, childIds]);
    if (!check) throw new Error('the check of an edge gave no row');
    return check;
  }

  /** Adds a subgroup to a group. @returns whether it was not a member before */
  addSubgroup(manager: EntityManager, parent_id: string, child_id: string, created_at: string): Promise<boolean> {
    return insertNew(manager, GroupSubgroupRow, { parent_id, child_id, created_at });
  }

  /** Whether a group is a direct subgroup of a group. */
  hasSubgroup(manager: EntityManager, parent_id: string, child_id: string): Promise<boolean> {
    return manager.existsBy(GroupSubgroupRow, { parent_id, child_id });
  }

  /** Removes a subgroup from a group. @returns whether it was a member */
  async removeSubgroup(manager: EntityManager, parent_id: string, child_id: string): Promise<boolean> {
    return (await manager.delete(GroupSubgroupRow, { parent_id, child_id })).affected === 1;
  }

  /** Keeps a group from being removed until the transaction ends. @returns whether it exists */
  async lockGroup(manager: EntityManager, id: string): Promise<boolean> {
    return (await lockGroups(manager, [id])).size === 1;
  }

  /** Records that the members of a group changed. */
  async touch(manager: EntityManager, id: string, updated_at: string): Promise<void> {
    await manager.update(GroupRow, { id }, { updated_at, version: () => 'version + 1' });
  }
}

/** Inserts a row unless it exists. @returns whether it was inserted */
async function insertNew(
  manager: EntityManager,
  entity: typeof GroupUserRow | typeof GroupSubgroupRow,
  row: object,
): Promise<boolean> {
  const insert = manager.createQueryBuilder().insert().into(entity).values(row).orIgnore().returning('created_at');
  return ((await insert.execute()).raw as object[]).length > 0;
}
