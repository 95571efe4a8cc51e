import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { UserSource } from '../../people/users/user.entity.ts';
import { ATTRIBUTES, type HeldTexts, type Holders, mayBeKnownOtherwise } from '../protocol/stored-attributes.ts';
import { type ElementPart, elementText, jsonString, quoted } from '../protocol/element-text.ts';
import type { JsonObject, JsonText, StoredUser } from '../protocol/types.ts';
import { type Page, type PageRequest, readPage } from '../http/scim-page.ts';
import { unindexed } from '../http/unindexed.ts';

/** A person as SCIM sees them, and who owns the entry. */
export type ProvisionedUser = StoredUser & { source: UserSource };

/** All that a write of SCIM sets of a person. */
export interface UserWrite {
  user_name: string;
  user_name_key: string;
  external_id: string | null;
  active: boolean;
  scim: JsonObject;
  email: string | null;
  email_key: string | null;
  display_name: string;
  photo_url: string | null;
  search_key: string;
  binding_key: string | null;
  /** Undefined: the subject that the entry has stays. */
  subject: string | undefined;
}

const COLUMNS = `u.id, u.user_name, u.external_id, u.active, u.source, ${ATTRIBUTES} AS scim, u.version, u.created_at, u.updated_at`;

const BY_ID = statement<ProvisionedUser>(
  `SELECT ${COLUMNS} FROM users u WHERE u.id = $1 AND ${unindexed('u.issuer')} = $2`,
);
const HELD = `SELECT 1 FROM users WHERE id = $1 AND ${unindexed('issuer')} = $2 FOR NO KEY UPDATE`;
const EXISTING = statement<{ id: string }>(
  `SELECT id FROM users WHERE id = ANY ($1::uuid[]) AND ${unindexed('issuer')} = $2`,
);
const BOUND_ENTRY = `SELECT id FROM users
  WHERE issuer = $1 AND source <> 'scim' AND user_name_key <> $2 AND (binding_key = $3 OR subject = $4) ORDER BY id LIMIT 1 FOR NO KEY UPDATE`;

/** How many people an issuer has. */
const PEOPLE = 'SELECT COALESCE(sum(people), 0)::bigint FROM people_counts WHERE issuer = $1';

/** More people than this share a text: the rows say themselves who matches. */
const MANY = 1_000;

/**
 * Who may hold texts, by the indexes `users_attributes` and `users_not_provisioned`. Asked apart
 * from the filter, which Postgres would otherwise answer by reading everybody of the issuer while
 * it believes, as long as the table is not analyzed, that they are few. Not prepared: a plan that
 * was made for a small table reads all of it.
 */
const HOLDERS = `SELECT u.id FROM users u WHERE lower(u.scim::text)::jsonb @> lower($2::text)::jsonb
  UNION ALL SELECT u.id FROM users u WHERE u.issuer = $1 AND u.source <> 'scim' AND $3::boolean
  LIMIT $4::int`;

/** Class of the advisory locks on user names. */
const NAME_LOCK = 7_046_032;

/**
 * The groups of people, as far as their issuer provisions them: a row with the direct ones of a
 * person, and one with those that hold these. Only nesting is followed step by step, and nothing is
 * looked at for it where no group is in another. Memberships and groups are found one by one by
 * their indexes: the statement is prepared while there are few, and Postgres would keep to reading
 * all of them.
 */
const groupsOf = (shown: ReadonlySet<ElementPart>) => {
  const lists = (held: string, type: 'direct' | 'indirect') =>
    `SELECT m.user_id, string_agg(${elementText(partsOfGroup(type), shown)}, ',' ORDER BY m.group_id) AS elements
     FROM ${held} m CROSS JOIN LATERAL (
       SELECT id, display_name FROM groups WHERE id = m.group_id AND source = 'scim' AND ${unindexed('issuer')} = $2 OFFSET 0) AS g`;
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
     ${lists('direct', 'direct')} WHERE $3::text IS NOT NULL GROUP BY m.user_id
     UNION ALL ${lists('indirect', 'indirect')} WHERE ${nested} GROUP BY m.user_id`,
  );
};

/** `$3` is the address of the endpoint. */
const partsOfGroup = (type: 'direct' | 'indirect') => ({
  value: quoted('g.id'),
  $ref: quoted(`$3::text || '/Groups/' || g.id`),
  display: jsonString('g.display_name'),
  type: `'"${type}"'`,
});

/** The people of an issuer as SCIM reads and writes them. */
@Injectable()
export class ScimUsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A page of an issuer's people, and how many there are in all. */
  async page(issuer: string, request: PageRequest): Promise<Page<ProvisionedUser>> {
    const source = { table: 'users u', id: 'u.id', columns: COLUMNS, own: 'u.issuer = $1', total: PEOPLE };
    const holders = await this.holders(issuer, request.heldTexts);
    return readPage<ProvisionedUser>(this.dataSource, issuer, source, request, holders);
  }

  private async holders(issuer: string, asked: readonly HeldTexts[]): Promise<Holders> {
    const known = new Map<string, string[]>();
    for (const texts of asked) {
      const key = JSON.stringify(texts);
      const params = [issuer, key, mayBeKnownOtherwise(texts), MANY];
      const rows = await this.dataSource.query<{ id: string }[]>(HOLDERS, params);
      if (rows.length < MANY)
        known.set(
          key,
          rows.map(({ id }) => id),
        );
    }
    return (texts) => known.get(JSON.stringify(texts));
  }

  /** One of an issuer's people. */
  find(
    issuer: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProvisionedUser | undefined> {
    return BY_ID.row(manager, [id, issuer]);
  }

  /** The same, locked against every other change until the transaction ends. */
  async lock(manager: EntityManager, issuer: string, id: string): Promise<ProvisionedUser | undefined> {
    await manager.query(HELD, [id, issuer]);
    return this.find(issuer, id, manager);
  }

  /**
   * Locks somebody whom the directory knows by their tokens, under another user name, and whom
   * nobody provisions yet.
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

  /** Those of the ids that are users of the issuer. */
  async filterExisting(issuer: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await EXISTING.rows(this.dataSource.manager, [ids, issuer]);
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The groups of each of these people who is in any: direct ones first.
   * @param base URL of the endpoint
   */
  async groupsOf(
    issuer: string,
    ids: readonly string[],
    shown: ReadonlySet<ElementPart>,
    base: string,
  ): Promise<Map<string, JsonText>> {
    const rows = await groupsOf(shown).rows(this.dataSource.manager, [ids, issuer, base]);
    const elements = new Map<string, string[]>();
    for (const row of rows) elements.set(row.user_id, [...(elements.get(row.user_id) ?? []), row.elements]);
    return new Map([...elements].map(([id, texts]) => [id, `[${texts.join(',')}]`]));
  }

  /**
   * Adds a person.
   * @throws a unique violation, of the user name only at the end of the transaction
   */
  async insert(manager: EntityManager, issuer: string, id: string, write: UserWrite, now: string): Promise<void> {
    await manager.query(
      `INSERT INTO users (id, issuer, source, user_name, user_name_key, external_id, active, scim, email, email_key, display_name, photo_url,
                          search_key, binding_key, subject, created_at, updated_at)
       VALUES ($1, $2, 'scim', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
      [id, issuer, ...valuesOf(write), now],
    );
  }

  /** Writes a person, who from now on is provisioned. @throws as `insert` */
  async update(manager: EntityManager, id: string, write: UserWrite, now: string): Promise<void> {
    await manager.query(
      `UPDATE users SET source = 'scim', user_name = $2, user_name_key = $3, external_id = $4, active = $5, scim = $6, email = $7, email_key = $8,
         display_name = $9, photo_url = $10, search_key = $11, binding_key = $12, subject = COALESCE($13, subject), updated_at = $14,
         version = version + 1
       WHERE id = $1`,
      [id, ...valuesOf(write), now],
    );
  }

  /**
   * Locks a person so that no group can take them in any more, and before that their groups: a
   * change of members takes its group first, then people.
   * @returns nothing for somebody whom the issuer does not have
   */
  async lockForDelete(manager: EntityManager, issuer: string, id: string): Promise<ProvisionedUser | undefined> {
    await manager.query(
      `SELECT g.id FROM groups g
       WHERE g.id IN (SELECT m.group_id FROM group_users m JOIN users u ON u.id = m.user_id WHERE u.id = $1 AND u.issuer = $2)
       ORDER BY g.id FOR NO KEY UPDATE`,
      [id, issuer],
    );
    await manager.query(`SELECT 1 FROM users WHERE id = $1 AND ${unindexed('issuer')} = $2 FOR UPDATE`, [id, issuer]);
    return this.find(issuer, id, manager);
  }

  /**
   * Counts in all groups of a locked person, also those that took them in a moment ago, that the
   * person leaves.
   */
  async touchGroupsOf(manager: EntityManager, id: string, now: string): Promise<void> {
    await manager.query(
      `UPDATE groups SET version = version + 1, updated_at = $2 WHERE id IN (SELECT group_id FROM group_users WHERE user_id = $1)`,
      [id, now],
    );
  }

  /**
   * Makes others who want to give the same user name wait until the transaction ends: its
   * uniqueness is checked only then, and two that both wait for the other one's end would be a
   * deadlock.
   */
  async lockName(manager: EntityManager, issuer: string, key: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [NAME_LOCK, JSON.stringify([issuer, key])]);
  }

  /** Removes a person and all that refers to them. */
  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.query('DELETE FROM users WHERE id = $1', [id]);
  }
}

const valuesOf = (write: UserWrite): unknown[] => [
  write.user_name,
  write.user_name_key,
  write.external_id,
  write.active,
  JSON.stringify(write.scim),
  write.email,
  write.email_key,
  write.display_name,
  write.photo_url,
  write.search_key,
  write.binding_key,
  write.subject ?? null,
];
