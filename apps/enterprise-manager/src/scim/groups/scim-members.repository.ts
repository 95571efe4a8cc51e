import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type ElementPart, elementText, jsonString, quoted } from '../protocol/element-text.ts';
import type { JsonText, ResourceType } from '../protocol/types.ts';
import { unindexed } from '../http/unindexed.ts';

/** Ids of members that exist, each kind in the order of the ids. */
export interface KnownMembers {
  users: string[];
  groups: string[];
}

/** A member that came or went. */
export interface ChangedMember {
  id: string;
  type: ResourceType;
  added: boolean;
}

/**
 * The direct members of groups, in the order of an index for each group; each list is JSON already.
 * Their names lie in other tables, which are read only where they are shown.
 */
const membersOf = (shown: ReadonlySet<ElementPart>) => {
  const named = (table: string, id: string) => (shown.has('display') ? `JOIN ${table} x ON x.id = ${id}` : '');
  return statement<{ group_id: string; list: JsonText }>(
    `SELECT wanted.id AS group_id, '[' || concat_ws(',',
       (SELECT string_agg(${elementText(partsOfMember('s.child_id', 'Group'), shown)}, ',' ORDER BY s.child_id)
        FROM group_subgroups s ${named('groups', 's.child_id')} WHERE s.parent_id = wanted.id),
       (SELECT string_agg(${elementText(partsOfMember('m.user_id', 'User'), shown)}, ',' ORDER BY m.user_id)
        FROM group_users m ${named('users', 'm.user_id')} WHERE m.group_id = wanted.id)) || ']' AS list
     FROM unnest($1::uuid[]) AS wanted(id) WHERE $2::text IS NOT NULL`,
  );
};

/** `$2` is the address of the endpoint. */
const partsOfMember = (id: string, type: ResourceType) => ({
  value: quoted(id),
  $ref: quoted(`$2::text || '/${type}s/' || ${id}`),
  display: jsonString('x.display_name'),
  type: `'"${type}"'`,
});

/**
 * Who and what is in the groups of an issuer, in the database. Every change is one statement over
 * the set that it names; none reads the members that are there, so it does not matter how many
 * there are.
 */
@Injectable()
export class ScimMembersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The direct members of each of these groups: groups first, then people.
   * @param base URL of the endpoint
   */
  async ofGroups(
    ids: readonly string[],
    shown: ReadonlySet<ElementPart>,
    base: string,
  ): Promise<Map<string, JsonText>> {
    const rows = await membersOf(shown).rows(this.dataSource.manager, [ids, base]);
    return new Map(rows.map(({ group_id, list }) => [group_id, list]));
  }

  /** Whether a group of the issuer is among these ids. */
  async namesGroup(manager: EntityManager, issuer: string, ids: readonly string[]): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM groups WHERE id = ANY($1::uuid[]) AND ${unindexed('issuer')} = $2 AND source = 'scim' LIMIT 1`,
      [ids, issuer],
    );
    return rows.length > 0;
  }

  /**
   * Which of these ids are people of the issuer and groups that it provisions. They stay until the
   * transaction ends; locked in order, so that two never wait for each other.
   */
  async hold(manager: EntityManager, issuer: string, ids: readonly string[]): Promise<KnownMembers> {
    const users: { id: string }[] = await manager.query(
      `SELECT id FROM users WHERE id = ANY($1::uuid[]) AND ${unindexed('issuer')} = $2 ORDER BY id FOR KEY SHARE`,
      [ids, issuer],
    );
    const groups: { id: string }[] =
      users.length === ids.length
        ? []
        : await manager.query(
            `SELECT id FROM groups WHERE id = ANY($1::uuid[]) AND ${unindexed('issuer')} = $2 AND source = 'scim' ORDER BY id FOR KEY SHARE`,
            [ids, issuer],
          );
    return { users: users.map(({ id }) => id), groups: groups.map(({ id }) => id) };
  }

  /** Puts members into a group. @returns those that were not in it */
  async add(manager: EntityManager, groupId: string, { users, groups }: KnownMembers, now: string) {
    const people = await returned(
      manager,
      `INSERT INTO group_users (group_id, user_id, created_at) SELECT $1, id, $3 FROM unnest($2::uuid[]) AS id ORDER BY id
       ON CONFLICT DO NOTHING RETURNING user_id AS id`,
      [groupId, users, now],
    );
    const subgroups =
      groups.length === 0
        ? []
        : await returned(
            manager,
            `INSERT INTO group_subgroups (parent_id, child_id, created_at) SELECT $1, id, $3 FROM unnest($2::uuid[]) AS id ORDER BY id
             ON CONFLICT DO NOTHING RETURNING child_id AS id`,
            [groupId, groups, now],
          );
    return changes(people, subgroups, true);
  }

  /** Takes members out of a group. @returns those that were in it */
  remove(manager: EntityManager, groupId: string, ids: readonly string[]): Promise<ChangedMember[]> {
    return this.removeWhere(manager, groupId, { users: ids, groups: ids }, '= ANY');
  }

  /** Takes out of a group whatever is not named. @returns what was in it */
  removeOthers(manager: EntityManager, groupId: string, kept: KnownMembers): Promise<ChangedMember[]> {
    return this.removeWhere(manager, groupId, kept, '<> ALL');
  }

  /** Takes all people, or all groups, out of a group. @returns what was in it */
  async removeType(manager: EntityManager, groupId: string, type: ResourceType): Promise<ChangedMember[]> {
    const all = await (type === 'User'
      ? returned(manager, 'DELETE FROM group_users WHERE group_id = $1 RETURNING user_id AS id', [groupId])
      : returned(manager, 'DELETE FROM group_subgroups WHERE parent_id = $1 RETURNING child_id AS id', [groupId]));
    return type === 'User' ? changes(all, [], false) : changes([], all, false);
  }

  private async removeWhere(
    manager: EntityManager,
    groupId: string,
    { users, groups }: { users: readonly string[]; groups: readonly string[] },
    which: '= ANY' | '<> ALL',
  ): Promise<ChangedMember[]> {
    const people = await returned(
      manager,
      `DELETE FROM group_users WHERE group_id = $1 AND user_id ${which} ($2::uuid[]) RETURNING user_id AS id`,
      [groupId, users],
    );
    const subgroups = await returned(
      manager,
      `DELETE FROM group_subgroups WHERE parent_id = $1 AND child_id ${which} ($2::uuid[]) RETURNING child_id AS id`,
      [groupId, groups],
    );
    return changes(people, subgroups, false);
  }
}

/**
 * The rows that a write returns; in a common table expression, so that every kind of write answers
 * with rows.
 */
const returned = (manager: EntityManager, write: string, params: unknown[]): Promise<{ id: string }[]> =>
  manager.query(`WITH changed AS (${write}) SELECT id FROM changed ORDER BY id`, params);

const changes = (users: { id: string }[], groups: { id: string }[], added: boolean): ChangedMember[] => [
  ...users.map(({ id }) => ({ id, type: 'User' as const, added })),
  ...groups.map(({ id }) => ({ id, type: 'Group' as const, added })),
];
