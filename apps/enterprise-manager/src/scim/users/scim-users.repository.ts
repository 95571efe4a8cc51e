import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UserRow, type UserSource } from '../../people/users/user.entity.ts';
import { ATTRIBUTES, type HeldTexts, type Holders, canMatchUnprovisioned } from '../protocol/stored-attributes.ts';
import { type ElementPart, buildElementText, buildJsonString, quoteSql } from '../protocol/element-text.ts';
import type { JsonText, StoredUser } from '../protocol/types.ts';
import { type Page, type PageRequest, readPage } from '../http/scim-page.ts';
import { disableIndex } from '../http/unindexed.ts';

/** A user as SCIM shows it, with the source of the entry. */
export type ProvisionedUser = StoredUser & { source: UserSource };

/** The columns that a SCIM write sets. */
export interface UserWrite {
  user_name: string;
  user_name_key: string;
  external_id: string | null;
  active: boolean;
  scim: object;
  email: string | null;
  email_key: string | null;
  display_name: string;
  photo_url: string | null;
  search_key: string;
  binding_key: string | null;
  /** Undefined: the entry keeps its subject. */
  subject: string | undefined;
}

const COLUMNS = `u.id, u.user_name, u.external_id, u.active, u.source, ${ATTRIBUTES} AS scim, u.version, u.created_at, u.updated_at`;

const BY_ID = statement<ProvisionedUser>(
  `SELECT ${COLUMNS} FROM users u WHERE u.id = $1 AND ${disableIndex('u.issuer')} = $2`,
);
const LOCK = `SELECT 1 FROM users WHERE id = $1 AND ${disableIndex('issuer')} = $2 FOR NO KEY UPDATE`;
const EXISTING = statement<{ id: string }>(
  `SELECT id FROM users WHERE id = ANY ($1::uuid[]) AND ${disableIndex('issuer')} = $2`,
);
const BOUND_ENTRY = `SELECT id FROM users
  WHERE issuer = $1 AND source <> 'scim' AND user_name_key <> $2 AND (binding_key = $3 OR subject = $4) ORDER BY id LIMIT 1 FOR NO KEY UPDATE`;

/** SQL of the number of users of an issuer. */
const USER_COUNT = 'SELECT COALESCE(sum(people), 0)::bigint FROM people_counts WHERE issuer = $1';

/** Maximum number of holders of a text; with more, the filter scans the rows of the issuer. */
const MAX_HOLDERS = 1_000;

/**
 * The users whose attributes may contain given texts, found by the indexes `users_attributes` and
 * `users_not_provisioned`. It is a separate query: in one query with the filter, Postgres would
 * scan all users of the issuer while statistics of the table are missing. It is not prepared,
 * because a plan for a small table scans the whole table.
 */
const HOLDERS = `SELECT u.id FROM users u WHERE lower(u.scim::text)::jsonb @> lower($2::text)::jsonb
  UNION ALL SELECT u.id FROM users u WHERE u.issuer = $1 AND u.source <> 'scim' AND $3::boolean
  LIMIT $4::int`;

/** Key space of the advisory locks on user names. */
const NAME_LOCK = 7_046_032;

/**
 * The provisioned groups of users: for each user a row with the direct groups and a row with the
 * groups that contain those. The recursion visits nested groups only. Each membership and group is
 * looked up by its index (OFFSET 0): Postgres may prepare the statement while the tables are small,
 * and would keep a plan that scans them.
 */
const buildGroupsSql = (shown: ReadonlySet<ElementPart>) => {
  const selectLists = (held: string, type: 'direct' | 'indirect') =>
    `SELECT m.user_id, string_agg(${buildElementText(buildGroupParts(type), shown)}, ',' ORDER BY m.group_id) AS elements
     FROM ${held} m CROSS JOIN LATERAL (
       SELECT id, display_name FROM groups WHERE id = m.group_id AND source = 'scim' AND ${disableIndex('issuer')} = $2 OFFSET 0) AS g`;
  const nested = 'EXISTS (SELECT FROM above)';
  return statement<{ user_id: string; elements: string }>(
    `WITH RECURSIVE direct AS MATERIALIZED (
       SELECT p.user_id, m.group_id FROM unnest($1::uuid[]) AS p (user_id)
       CROSS JOIN LATERAL (SELECT group_id FROM group_users WHERE user_id = p.user_id OFFSET 0) AS m),
     above AS (
       SELECT s.child_id AS below, s.parent_id AS id FROM group_subgroups s WHERE EXISTS (SELECT FROM direct WHERE direct.group_id = s.child_id)
       UNION SELECT above.below, s.parent_id FROM above JOIN group_subgroups s ON s.child_id = above.id),
     indirect AS (
       SELECT direct.user_id, above.id AS group_id FROM above JOIN direct ON direct.group_id = above.below
       EXCEPT SELECT user_id, group_id FROM direct WHERE ${nested})
     ${selectLists('direct', 'direct')} WHERE $3::text IS NOT NULL GROUP BY m.user_id
     UNION ALL ${selectLists('indirect', 'indirect')} WHERE ${nested} GROUP BY m.user_id`,
  );
};

/** SQL of the parts of a group; `$3` is the base URL of the endpoint. */
const buildGroupParts = (type: 'direct' | 'indirect') => ({
  value: quoteSql('g.id'),
  $ref: quoteSql(`$3::text || '/Groups/' || g.id`),
  display: buildJsonString('g.display_name'),
  type: `'"${type}"'`,
});

/**
 * The users of an issuer in the database, for SCIM. Written as SQL: pages with filters, reads with
 * tested plans, and locks.
 */
@Injectable()
export class ScimUsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads a page of an issuer's users and their total number. */
  async readPage(issuer: string, request: PageRequest): Promise<Page<ProvisionedUser>> {
    const source = { table: 'users u', id: 'u.id', columns: COLUMNS, own: 'u.issuer = $1', total: USER_COUNT };
    const holders = await this.findHolders(issuer, request.heldTexts);
    return readPage<ProvisionedUser>(this.dataSource, issuer, source, request, holders);
  }

  private async findHolders(issuer: string, texts: readonly HeldTexts[]): Promise<Holders> {
    const known = new Map<string, string[]>();
    for (const held of texts) {
      const key = JSON.stringify(held);
      const params = [issuer, key, canMatchUnprovisioned(held), MAX_HOLDERS];
      const rows = await this.dataSource.query<{ id: string }[]>(HOLDERS, params);
      if (rows.length < MAX_HOLDERS)
        known.set(
          key,
          rows.map(({ id }) => id),
        );
    }
    return (held) => known.get(JSON.stringify(held));
  }

  /** Finds a user of an issuer. */
  find(
    issuer: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProvisionedUser | undefined> {
    return BY_ID.row(manager, [id, issuer]);
  }

  /** Locks a user against every other change until the transaction ends. */
  async lock(manager: EntityManager, issuer: string, id: string): Promise<ProvisionedUser | undefined> {
    await manager.query(LOCK, [id, issuer]);
    return this.find(issuer, id, manager);
  }

  /**
   * Locks an entry with the same binding and another user name that is not provisioned yet.
   * @returns its id
   */
  async lockBoundEntry(manager: EntityManager, issuer: string, write: UserWrite): Promise<string | undefined> {
    const rows: { id: string }[] = await manager.query(BOUND_ENTRY, [
      issuer,
      write.user_name_key,
      write.binding_key,
      write.subject ?? null,
    ]);
    return rows[0]?.id;
  }

  /** Returns the ids that are users of the issuer. */
  async filterExisting(issuer: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await EXISTING.rows(this.dataSource.manager, [ids, issuer]);
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Reads the groups of users as JSON lists, direct groups first. The result omits users without
   * groups.
   * @param base base URL of the endpoint
   */
  async listGroupsOfUsers(
    issuer: string,
    ids: readonly string[],
    shown: ReadonlySet<ElementPart>,
    base: string,
  ): Promise<Map<string, JsonText>> {
    const rows = await buildGroupsSql(shown).rows(this.dataSource.manager, [ids, issuer, base]);
    const elements = new Map<string, string[]>();
    for (const row of rows) elements.set(row.user_id, [...(elements.get(row.user_id) ?? []), row.elements]);
    return new Map([...elements].map(([id, texts]) => [id, `[${texts.join(',')}]`]));
  }

  /**
   * Adds a user.
   * @throws a unique violation; for the user name only at commit
   */
  async insert(manager: EntityManager, issuer: string, id: string, write: UserWrite, now: string): Promise<void> {
    const row = { ...write, id, issuer, source: 'scim' as const, created_at: now, updated_at: now };
    await manager.insert(UserRow, { ...row, subject: write.subject ?? null });
  }

  /** Writes a user and makes the entry a provisioned one. @throws as `insert` */
  async update(manager: EntityManager, id: string, write: UserWrite, now: string): Promise<void> {
    const { subject, ...fields } = write;
    const row = { ...fields, ...(subject !== undefined && { subject }), source: 'scim' as const, updated_at: now };
    await manager.update(UserRow, { id }, { ...row, version: () => 'version + 1' });
  }

  /**
   * Locks the groups of a user and then the user, so that no group can add the user. A change of
   * members locks in the same order.
   * @returns undefined for a user that the issuer does not have
   */
  async lockForDelete(manager: EntityManager, issuer: string, id: string): Promise<ProvisionedUser | undefined> {
    await manager.query(
      `SELECT g.id FROM groups g
       WHERE g.id IN (SELECT m.group_id FROM group_users m JOIN users u ON u.id = m.user_id WHERE u.id = $1 AND u.issuer = $2)
       ORDER BY g.id FOR NO KEY UPDATE`,
      [id, issuer],
    );
    await manager.query(`SELECT 1 FROM users WHERE id = $1 AND ${disableIndex('issuer')} = $2 FOR UPDATE`, [
      id,
      issuer,
    ]);
    return this.find(issuer, id, manager);
  }

  /** Increments the versions of all groups of a locked user, because the user leaves them. */
  async touchGroupsOfUser(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query(
      `UPDATE groups SET version = version + 1, updated_at = $2 WHERE id IN (SELECT group_id FROM group_users WHERE user_id = $1)`,
      [id, now],
    );
  }

  /**
   * Serializes transactions that set the same user name. Its uniqueness is checked at commit, so
   * that two such transactions would otherwise deadlock.
   */
  async lockName(manager: EntityManager, issuer: string, key: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [NAME_LOCK, JSON.stringify([issuer, key])]);
  }

  /** Removes a user and all rows that refer to it. */
  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(UserRow, { id });
  }
}
