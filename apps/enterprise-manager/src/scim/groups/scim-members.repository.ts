import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ResourceType, StoredMember } from '../protocol/types.ts';

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

const OF_GROUPS = statement<StoredMember & { group_id: string }>(
  `SELECT s.parent_id AS group_id, c.id AS value, c.display_name AS display, 'Group' AS type
   FROM group_subgroups s JOIN groups c ON c.id = s.child_id WHERE s.parent_id = ANY($1::uuid[])
   UNION ALL
   SELECT m.group_id, u.id, u.display_name, 'User' FROM group_users m JOIN users u ON u.id = m.user_id WHERE m.group_id = ANY($1::uuid[])
   ORDER BY 4, 2`,
);

/**
 * Who and what is in the groups of an issuer, in the database. Every change is one statement over the set that it names; none reads the members that are
 * there, so it does not matter how many there are.
 */
@Injectable()
export class ScimMembersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The direct members of each of these groups: groups first, then people. */
  async ofGroups(
    ids: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, StoredMember[]>> {
    const members = new Map<string, StoredMember[]>(ids.map((id) => [id, []]));
    for (const { group_id, ...member } of await OF_GROUPS.rows(manager, [ids])) members.get(group_id)?.push(member);
    return members;
  }

  /** Whether a group of the issuer is among these ids. */
  async namesGroup(manager: EntityManager, issuer: string, ids: readonly string[]): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM groups WHERE id = ANY($1::uuid[]) AND issuer = $2 AND source = 'scim' LIMIT 1`,
      [ids, issuer],
    );
    return rows.length > 0;
  }

  /** Which of these ids are people of the issuer and groups that it provisions. They stay until the transaction ends; locked in order, so that two never wait for each other. */
  async hold(manager: EntityManager, issuer: string, ids: readonly string[]): Promise<KnownMembers> {
    const users: { id: string }[] = await manager.query(
      'SELECT id FROM users WHERE id = ANY($1::uuid[]) AND issuer = $2 ORDER BY id FOR KEY SHARE',
      [ids, issuer],
    );
    const groups: { id: string }[] =
      users.length === ids.length
        ? []
        : await manager.query(
            `SELECT id FROM groups WHERE id = ANY($1::uuid[]) AND issuer = $2 AND source = 'scim' ORDER BY id FOR KEY SHARE`,
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

/** The rows that a write returns; in a common table expression, so that every kind of write answers with rows. */
const returned = (manager: EntityManager, write: string, params: unknown[]): Promise<{ id: string }[]> =>
  manager.query(`WITH changed AS (${write}) SELECT id FROM changed ORDER BY id`, params);

const changes = (users: { id: string }[], groups: { id: string }[], added: boolean): ChangedMember[] => [
  ...users.map(({ id }) => ({ id, type: 'User' as const, added })),
  ...groups.map(({ id }) => ({ id, type: 'Group' as const, added })),
];
