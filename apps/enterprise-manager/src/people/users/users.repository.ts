import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import type { Stored } from '@gatehouse/database/stored';
import { toComparisonKey, toLikePattern, buildSearchKey } from '../../validation/names.ts';
import type { UserIdentity } from '@gatehouse/auth/owner-ref';
import { selectUsersInGroup } from '../group-sql.ts';
import { UserRow } from './user.entity.ts';

/** The users that a list contains. Names and addresses are compared in their comparison form. */
export interface UserFilter {
  email?: string | undefined;
  user_name?: string | undefined;
  person?: UserIdentity | undefined;
  source?: string | undefined;
  active?: boolean | undefined;
  search?: string | undefined;
  /** Id of a group: only its direct and indirect members. */
  within?: string | undefined;
}

/** A user of SEED_USERS. */
export interface ConfiguredUser {
  issuer: string;
  subject: string;
  user_name: string;
  email?: string | undefined;
  display_name: string;
}

/** A new entry without provisioned attributes. */
export type NewUser = Omit<Stored<UserRow>, 'external_id' | 'photo_url' | 'scim' | 'version'>;

const COLUMNS = `u.id, u.issuer, u.subject, u.binding_key, u.external_id, u.user_name, u.user_name_key, u.email, u.email_key, u.display_name, u.photo_url,
   u.source, u.active, u.search_key, u.scim, u.version, u.created_at, u.updated_at`;
const BY_ID = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1`);
const BY_IDENTITY = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.issuer = $1 AND u.subject = $2`);
const LOCK = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1 FOR NO KEY UPDATE`);
const LOCK_FOR_MEMBERSHIP = statement<{ id: string }>('SELECT id FROM users WHERE id = $1 FOR KEY SHARE');
const IS_REMOVED = statement<{ found: boolean }>(
  `SELECT TRUE AS found WHERE EXISTS (SELECT 1 FROM departed_people WHERE issuer = $1 AND subject = $2)
      OR EXISTS (SELECT 1 FROM departed_bindings WHERE issuer = $1 AND binding_key = $3)`,
);
const UPSERT_CONFIGURED = `WITH changed AS (
   INSERT INTO users (id, issuer, subject, user_name, user_name_key, email, email_key, display_name, source, active,
                      search_key, created_at, updated_at)
   SELECT id, issuer, subject, user_name, user_name_key, email, email_key, display_name, 'config', TRUE, search_key, $2, $2
   FROM jsonb_to_recordset($1::jsonb) AS person (id uuid, issuer text, subject text, user_name text, user_name_key text,
                                                 email text, email_key text, display_name text, search_key text)
   WHERE NOT EXISTS (SELECT 1 FROM users held WHERE held.issuer = person.issuer AND held.user_name_key = person.user_name_key AND held.source = 'scim')
     AND NOT EXISTS (SELECT 1 FROM departed_people gone WHERE gone.issuer = person.issuer AND gone.subject = person.subject)
   ORDER BY issuer, subject
   ON CONFLICT (issuer, subject) DO UPDATE
   SET user_name = excluded.user_name, user_name_key = excluded.user_name_key, email = excluded.email,
       email_key = excluded.email_key, display_name = excluded.display_name, search_key = excluded.search_key, version = users.version + 1,
       updated_at = excluded.updated_at
   WHERE users.source = 'config'
     AND (users.user_name, users.email, users.display_name)
         IS DISTINCT FROM (excluded.user_name, excluded.email, excluded.display_name)
   RETURNING id)
 SELECT id FROM changed`;

/**
 * The users of the directory in the database. Written as SQL: lookups of each request, locks, and
 * the statement that seeds all configured users.
 */
@Injectable()
export class UsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists users in the order of their creation. */
  async list(filter: UserFilter, step: KeysetStep): Promise<UserRow[]> {
    const params: unknown[] = [];
    const conditions = buildUserConditions(filter, params);
    const select = `SELECT ${COLUMNS} FROM users u`;
    return selectByCreation(this.dataSource, { select, alias: 'u', conditions, params }, step);
  }

  /** Finds a user by id. */
  find(id: string): Promise<UserRow | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** Finds the user that a verified token identifies. */
  findByIdentity(issuer: string, subject: string): Promise<UserRow | undefined> {
    return BY_IDENTITY.row(this.dataSource.manager, [issuer, subject]);
  }

  /** Finds a user of an issuer by user name, in any case or Unicode form. */
  findByUserName(issuer: string, userName: string): Promise<UserRow | null> {
    return this.dataSource.manager.findOneBy(UserRow, { issuer, user_name_key: toComparisonKey(userName) });
  }

  /**
   * Whether the user had an entry that was removed, or an entry with this binding key was removed
   * before its first sign-in.
   */
  async isRemoved(issuer: string, subject: string, bindingKey: string | null): Promise<boolean> {
    return (await IS_REMOVED.row(this.dataSource.manager, [issuer, subject, bindingKey])) !== undefined;
  }

  /** Whether an issuer's entry with this binding key has no subject yet. */
  hasUnboundEntry(issuer: string, bindingKey: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(UserRow, { issuer, binding_key: bindingKey, subject: IsNull() });
  }

  /**
   * Binds an entry without a subject to a subject. Of several concurrent calls one succeeds.
   * @returns the entry's id; undefined when the entry is bound or does not exist
   * @throws a unique violation of users_person_unique when the subject has another entry
   */
  async bindSubject(
    manager: EntityManager,
    { issuer, subject }: { issuer: string; subject: string },
    bindingKey: string,
    now: string,
  ): Promise<string | undefined> {
    const update = manager
      .createQueryBuilder()
      .update(UserRow)
      .set({ subject, updated_at: now, version: () => 'version + 1' })
      .where({ issuer, binding_key: bindingKey, subject: IsNull() })
      .returning('id');
    const [row] = (await update.execute()).raw as { id: string }[];
    return row?.id;
  }

  /**
   * Adds an entry.
   * @throws a unique violation of users_person_unique, users_binding_unique or, at commit,
   * users_user_name_unique
   */
  async insert(manager: EntityManager, user: NewUser): Promise<void> {
    await manager.insert(UserRow, user);
  }

  /** Locks a user against every other change until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<UserRow | undefined> {
    return LOCK.row(manager, [id]);
  }

  /** Activates or deactivates a user. Triggers disable and restore the user's virtual API keys. */
  async setActive(manager: EntityManager, id: string, active: boolean, now: string): Promise<void> {
    await manager.update(UserRow, { id }, { active, updated_at: now, version: () => 'version + 1' });
  }

  /** Keeps a user from being removed until the transaction ends. @returns whether it exists */
  async lockForMembership(manager: EntityManager, id: string): Promise<boolean> {
    return (await LOCK_FOR_MEMBERSHIP.row(manager, [id])) !== undefined;
  }

  /**
   * Adds the configured users, and renames those that were added before. It skips users of other
   * sources, user names of provisioned users, and users that provisioning has removed.
   * @returns how many entries were added or changed
   */
  async upsertConfigured(manager: EntityManager, users: readonly ConfiguredUser[], now: string): Promise<number> {
    const rows = users.map((user) => ({
      ...user,
      id: uuidv7(),
      email: user.email ?? null,
      user_name_key: toComparisonKey(user.user_name),
      email_key: user.email === undefined ? null : toComparisonKey(user.email),
      search_key: buildSearchKey(user.display_name, user.user_name, user.email),
    }));
    // Ordered by key: concurrent replicas then wait for each other instead of deadlocking.
    const changed: unknown[] = await manager.query(UPSERT_CONFIGURED, [JSON.stringify(rows), now]);
    return changed.length;
  }
}

/** The WHERE conditions of a filter over `users u`. @param params gets the values appended */
function buildUserConditions(filter: UserFilter, params: unknown[]): string[] {
  const { email, user_name, person, source, active, search, within } = filter;
  return [
    email !== undefined && `u.email_key = $${params.push(toComparisonKey(email))}`,
    user_name !== undefined && `u.user_name_key = $${params.push(toComparisonKey(user_name))}`,
    person !== undefined && `(u.issuer, u.subject) = ($${params.push(person.issuer)}, $${params.push(person.subject)})`,
    source !== undefined && `u.source = $${params.push(source)}`,
    active !== undefined && `u.active = $${params.push(active)}`,
    search !== undefined && `u.search_key LIKE $${params.push(toLikePattern(search))}`,
    // An array is computed once; Postgres may scan a subquery again for each user.
    within !== undefined && `u.id = ANY (ARRAY(${selectUsersInGroup(`$${params.push(within)}::uuid`)}))`,
  ].filter((condition) => condition !== false);
}
