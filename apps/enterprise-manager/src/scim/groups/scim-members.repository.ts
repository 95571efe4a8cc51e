import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type ElementPart, buildElementText, buildJsonString, quoteSql } from '../protocol/element-text.ts';
import type { JsonText, ResourceType } from '../protocol/types.ts';
import { disableIndex } from '../http/unindexed.ts';

/** Ids of members that exist, each kind in the order of the ids. */
export interface KnownMembers {
  users: string[];
  groups: string[];
}

/** A member that was added or removed. */
export interface ChangedMember {
  id: string;
  type: ResourceType;
  added: boolean;
}

/**
 * The direct members of groups as JSON lists, each in the order of an index. The tables with the
 * names are joined only for responses that contain the names.
 */
const buildMembersSql = (shown: ReadonlySet<ElementPart>) => {
  const buildNameJoin = (table: string, id: string) => (shown.has('display') ? `JOIN ${table} x ON x.id = ${id}` : '');
  return statement<{ group_id: string; list: JsonText }>(
    `SELECT wanted.id AS group_id, '[' || concat_ws(',',
       (SELECT string_agg(${buildElementText(buildMemberParts('s.child_id', 'Group'), shown)}, ',' ORDER BY s.child_id)
        FROM group_subgroups s ${buildNameJoin('groups', 's.child_id')} WHERE s.parent_id = wanted.id),
       (SELECT string_agg(${buildElementText(buildMemberParts('m.user_id', 'User'), shown)}, ',' ORDER BY m.user_id)
        FROM group_users m ${buildNameJoin('users', 'm.user_id')} WHERE m.group_id = wanted.id)) || ']' AS list
     FROM unnest($1::uuid[]) AS wanted(id) WHERE $2::text IS NOT NULL`,
  );
};

/** SQL of the parts of a member; `$2` is the base URL of the endpoint. */
const buildMemberParts = (id: string, type: ResourceType) => ({
  value: quoteSql(id),
  $ref: quoteSql(`$2::text || '/${type}s/' || ${id}`),
  display: buildJsonString('x.display_name'),
  type: `'"${type}"'`,
});

/**
 * The members of an issuer's groups in the database. Each change is one set-based SQL statement. It
 * does not read the present members, so that its cost does not depend on the size of the group.
 */
@Injectable()
export class ScimMembersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads the direct members of groups, groups before users.
   * @param base base URL of the endpoint
   */
  async listOfGroups(
    ids: readonly string[],
    shown: ReadonlySet<ElementPart>,
    base: string,
  ): Promise<Map<string, JsonText>> {
    const rows = await buildMembersSql(shown).rows(this.dataSource.manager, [ids, base]);
    return new Map(rows.map(({ group_id, list }) => [group_id, list]));
  }

  /** Whether one of the ids is a group of the issuer. */
  async includesGroup(manager: EntityManager, issuer: string, ids: readonly string[]): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM groups WHERE id = ANY($1::uuid[]) AND ${disableIndex('issuer')} = $2 AND source = 'scim' LIMIT 1`,
      [ids, issuer],
    );
    return rows.length > 0;
  }

  /**
   * Locks the ids that are users of the issuer or groups that it provisions, until the transaction
   * ends. Locks are taken in the order of ids, so that two transactions cannot deadlock.
   */
  async lockKnown(manager: EntityManager, issuer: string, ids: readonly string[]): Promise<KnownMembers> {
    const users: { id: string }[] = await manager.query(
      `SELECT id FROM users WHERE id = ANY($1::uuid[]) AND ${disableIndex('issuer')} = $2 ORDER BY id FOR KEY SHARE`,
      [ids, issuer],
    );
    const groups: { id: string }[] =
      users.length === ids.length
        ? []
        : await manager.query(
            `SELECT id FROM groups WHERE id = ANY($1::uuid[]) AND ${disableIndex('issuer')} = $2 AND source = 'scim' ORDER BY id FOR KEY SHARE`,
            [ids, issuer],
          );
    return { users: users.map(({ id }) => id), groups: groups.map(({ id }) => id) };
  }

  /** Adds members to a group. @returns the members that it did not have */
  async add(manager: EntityManager, groupId: string, { users, groups }: KnownMembers, now: string) {
    const people = await runReturning(
      manager,
      `INSERT INTO group_users (group_id, user_id, created_at) SELECT $1, id, $3 FROM unnest($2::uuid[]) AS id ORDER BY id
       ON CONFLICT DO NOTHING RETURNING user_id AS id`,
      [groupId, users, now],
    );
    const subgroups =
      groups.length === 0
        ? []
        : await runReturning(
            manager,
            `INSERT INTO group_subgroups (parent_id, child_id, created_at) SELECT $1, id, $3 FROM unnest($2::uuid[]) AS id ORDER BY id
             ON CONFLICT DO NOTHING RETURNING child_id AS id`,
            [groupId, groups, now],
          );
    return toChanges(people, subgroups, true);
  }

  /** Removes members from a group. @returns the members that it had */
  remove(manager: EntityManager, groupId: string, ids: readonly string[]): Promise<ChangedMember[]> {
    return this.removeWhere(manager, groupId, { users: ids, groups: ids }, '= ANY');
  }

  /** Removes all members except the given ones. @returns the removed members */
  removeOthers(manager: EntityManager, groupId: string, remaining: KnownMembers): Promise<ChangedMember[]> {
    return this.removeWhere(manager, groupId, remaining, '<> ALL');
  }

  /** Removes all users, or all subgroups, from a group. @returns the removed members */
  async removeType(manager: EntityManager, groupId: string, type: ResourceType): Promise<ChangedMember[]> {
    const all = await (type === 'User'
      ? runReturning(manager, 'DELETE FROM group_users WHERE group_id = $1 RETURNING user_id AS id', [groupId])
      : runReturning(manager, 'DELETE FROM group_subgroups WHERE parent_id = $1 RETURNING child_id AS id', [groupId]));
    return type === 'User' ? toChanges(all, [], false) : toChanges([], all, false);
  }

  private async removeWhere(
    manager: EntityManager,
    groupId: string,
    { users, groups }: { users: readonly string[]; groups: readonly string[] },
    which: '= ANY' | '<> ALL',
  ): Promise<ChangedMember[]> {
    const people = await runReturning(
      manager,
      `DELETE FROM group_users WHERE group_id = $1 AND user_id ${which} ($2::uuid[]) RETURNING user_id AS id`,
      [groupId, users],
    );
    const subgroups = await runReturning(
      manager,
      `DELETE FROM group_subgroups WHERE parent_id = $1 AND child_id ${which} ($2::uuid[]) RETURNING child_id AS id`,
      [groupId, groups],
    );
    return toChanges(people, subgroups, false);
  }
}

/** Runs a write with RETURNING. In a CTE, the driver returns rows for every kind of write. */
const runReturning = (manager: EntityManager, write: string, params: unknown[]): Promise<{ id: string }[]> =>
  manager.query(`WITH changed AS (${write}) SELECT id FROM changed ORDER BY id`, params);

const toChanges = (users: { id: string }[], groups: { id: string }[], added: boolean): ChangedMember[] => [
  ...users.map(({ id }) => ({ id, type: 'User' as const, added })),
  ...groups.map(({ id }) => ({ id, type: 'Group' as const, added })),
];
