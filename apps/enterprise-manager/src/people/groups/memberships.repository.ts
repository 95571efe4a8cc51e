import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * Key of the advisory lock under which the graph of groups grows: two new edges are never checked
 * against the same old graph.
 */
const GRAPH_LOCK = 7_046_031;

/**
 * What new subgroups would do to the graph. Depth counts groups on the longest way from a top group
 * to a bottom group through a new edge.
 */
export interface EdgeCheck {
  cycle: boolean;
  depth: number;
}

/**
 * Who and what is in which group, in the database. All methods work in the transaction of their
 * manager.
 */
@Injectable()
export class MembershipsRepository {
  /** @returns whether the person was not yet a member */
  async addUser(manager: EntityManager, groupId: string, userId: string, now: string): Promise<boolean> {
    return changed(
      manager,
      `INSERT INTO group_users (group_id, user_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING TRUE AS done`,
      [groupId, userId, now],
    );
  }

  /** @returns whether the person was a member */
  async removeUser(manager: EntityManager, groupId: string, userId: string): Promise<boolean> {
    return changed(manager, 'DELETE FROM group_users WHERE group_id = $1 AND user_id = $2 RETURNING TRUE AS done', [
      groupId,
      userId,
    ]);
  }

  /** Whether a person is directly in a group. */
  async holdsUser(manager: EntityManager, groupId: string, userId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT 1 FROM group_users WHERE group_id = $1 AND user_id = $2', [
      groupId,
      userId,
    ]);
    return rows.length > 0;
  }

  /** Makes every other transaction that wants to add an edge wait until this one ends. */
  async lockGraph(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [GRAPH_LOCK]);
  }

  /**
   * Looks at the graph as it is under the lock. Each (group, height) is visited once, so a graph
   * with many ways through it stays cheap.
   */
  async checkEdges(manager: EntityManager, parentId: string, childIds: readonly string[]): Promise<EdgeCheck> {
    const rows: EdgeCheck[] = await manager.query(
      `WITH RECURSIVE above AS (
         SELECT $1::uuid AS id, 1 AS height
         UNION SELECT s.parent_id, above.height + 1 FROM above JOIN group_subgroups s ON s.child_id = above.id),
       below AS (
         SELECT id, 1 AS height FROM unnest($2::uuid[]) AS id
         UNION SELECT s.child_id, below.height + 1 FROM below JOIN group_subgroups s ON s.parent_id = below.id)
       SELECT EXISTS (SELECT 1 FROM above WHERE id = ANY($2)) AS cycle,
              (SELECT max(height) FROM above) + (SELECT max(height) FROM below) AS depth`,
      [parentId, childIds],
    );
    const [check] = rows;
    if (!check) throw new Error('the check of an edge gave no row');
    return check;
  }

  /** @returns whether the child was not yet in the parent */
  async addSubgroup(manager: EntityManager, parentId: string, childId: string, now: string): Promise<boolean> {
    return changed(
      manager,
      `INSERT INTO group_subgroups (parent_id, child_id, created_at) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING TRUE AS done`,
      [parentId, childId, now],
    );
  }

  /** Whether a group is directly in a group. */
  async holdsSubgroup(manager: EntityManager, parentId: string, childId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'SELECT 1 FROM group_subgroups WHERE parent_id = $1 AND child_id = $2',
      [parentId, childId],
    );
    return rows.length > 0;
  }

  /** @returns whether the child was in the parent */
  async removeSubgroup(manager: EntityManager, parentId: string, childId: string): Promise<boolean> {
    return changed(
      manager,
      'DELETE FROM group_subgroups WHERE parent_id = $1 AND child_id = $2 RETURNING TRUE AS done',
      [parentId, childId],
    );
  }

  /** Whether a group exists; stays true until the transaction ends. */
  async holdGroup(manager: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT 1 FROM groups WHERE id = $1 FOR KEY SHARE', [id]);
    return rows.length > 0;
  }

  /** Notes that the members of a group changed. */
  async touch(manager: EntityManager, groupId: string, now: string): Promise<void> {
    await manager.query('UPDATE groups SET updated_at = $2, version = version + 1 WHERE id = $1', [groupId, now]);
  }
}

/**
 * Runs a write that returns a row for what it changed; in a common table expression, so that every
 * kind of write answers with rows.
 */
const changed = async (manager: EntityManager, write: string, params: unknown[]): Promise<boolean> => {
  const rows: unknown[] = await manager.query(`WITH changed AS (${write}) SELECT * FROM changed`, params);
  return rows.length > 0;
};
