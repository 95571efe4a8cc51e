import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '../../database/keyset.ts';
import { comparisonKey, containing, searchKey } from '../../validation/names.ts';
import type { Person } from '../../validation/person-ref.ts';
import { peopleIn } from '../group-sql.ts';
import type { UserRow } from './user.entity.ts';

/** Which people a list shows. Names and addresses are compared in their comparison form. */
export interface UserFilter {
  email?: string | undefined;
  user_name?: string | undefined;
  person?: Person | undefined;
  source?: string | undefined;
  active?: boolean | undefined;
  search?: string | undefined;
  /** Id of a group: only people in it, directly or through its subgroups. */
  within?: string | undefined;
}

/** What the configuration says about a person. */
export interface ConfiguredUser {
  issuer: string;
  subject: string;
  user_name: string;
  email?: string | undefined;
  display_name: string;
}

const COLUMNS = `u.id, u.issuer, u.subject, u.binding_key, u.external_id, u.user_name, u.user_name_key, u.email, u.email_key, u.display_name, u.photo_url,
   u.source, u.active, u.search_key, u.scim, u.version, u.created_at, u.updated_at`;
const BY_ID = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1`);
const BY_PERSON = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.issuer = $1 AND u.subject = $2`);

const BY_USER_NAME = statement<UserRow>(`SELECT ${COLUMNS} FROM users u WHERE u.issuer = $1 AND u.user_name_key = $2`);
const HAS_DEPARTED = statement<{ found: boolean }>(
  `SELECT TRUE AS found WHERE EXISTS (SELECT 1 FROM departed_people WHERE issuer = $1 AND subject = $2)
      OR EXISTS (SELECT 1 FROM departed_bindings WHERE issuer = $1 AND binding_key = $3)`,
);
const AWAITS_SUBJECT = statement<{ found: boolean }>(
  'SELECT TRUE AS found FROM users WHERE issuer = $1 AND binding_key = $2 AND subject IS NULL',
);

/** What a first sign-in stores. */
export type SignedInUser = Pick<
  UserRow,
  | 'id'
  | 'issuer'
  | 'binding_key'
  | 'user_name'
  | 'user_name_key'
  | 'email'
  | 'email_key'
  | 'display_name'
  | 'search_key'
  | 'created_at'
> & { subject: string };

/** The people of the directory in the database. */
@Injectable()
export class UsersRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** People in the order in which they came. */
  async list(filter: UserFilter, step: KeysetStep): Promise<UserRow[]> {
    const params: unknown[] = [];
    const conditions = userConditions(filter, params);
    return selectByCreation(
      this.dataSource,
      { select: `SELECT ${COLUMNS} FROM users u`, alias: 'u', conditions, params },
      step,
    );
  }

  /** The person with an id. */
  find(id: string): Promise<UserRow | undefined> {
    return BY_ID.row(this.dataSource.manager, [id]);
  }

  /** The person that a verified token speaks of. */
  findByPerson(issuer: string, subject: string): Promise<UserRow | undefined> {
    return BY_PERSON.row(this.dataSource.manager, [issuer, subject]);
  }

  /** The issuer's person with a user name, in any case or Unicode form. */
  findByUserName(issuer: string, userName: string): Promise<UserRow | undefined> {
    return BY_USER_NAME.row(this.dataSource.manager, [issuer, comparisonKey(userName)]);
  }

  /**
   * Whether the person had an entry that was removed, or an entry with this binding key was removed
   * before anybody had signed in to it.
   */
  async hasDeparted(issuer: string, subject: string, key: string | null): Promise<boolean> {
    return (await HAS_DEPARTED.row(this.dataSource.manager, [issuer, subject, key])) !== undefined;
  }

  /** Whether an issuer's entry with this binding key has no subject yet. */
  async awaitsSubject(issuer: string, key: string): Promise<boolean> {
    return (await AWAITS_SUBJECT.row(this.dataSource.manager, [issuer, key])) !== undefined;
  }

  /**
   * Gives an entry without a subject to the first who brings its binding key. Of several at once
   * one succeeds.
   * @returns the entry's id; undefined where there is no such entry any more
   * @throws a unique violation of users_person_unique when the person has another entry by now
   */
  async bindSubject(
    manager: EntityManager,
    { issuer, subject }: { issuer: string; subject: string },
    key: string,
    now: string,
  ): Promise<string | undefined> {
    const rows: { id: string }[] = await manager.query(
      `WITH bound AS (
         UPDATE users SET subject = $3, version = version + 1, updated_at = $4
         WHERE issuer = $1 AND binding_key = $2 AND subject IS NULL RETURNING id)
       SELECT id FROM bound`,
      [issuer, key, subject, now],
    );
    return rows[0]?.id;
  }

  /**
   * Adds an active entry.
   * @throws a unique violation of users_person_unique, users_binding_unique or, at commit,
   * users_user_name_unique
   */
  async insertAtSignIn(manager: EntityManager, user: SignedInUser): Promise<void> {
    await manager.query(
      `INSERT INTO users (id, issuer, subject, binding_key, user_name, user_name_key, email, email_key, display_name, search_key, source, active,
                          created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'sign_in', TRUE, $11, $11)`,
      [
        user.id,
        user.issuer,
        user.subject,
        user.binding_key,
        user.user_name,
        user.user_name_key,
        user.email,
        user.email_key,
        user.display_name,
        user.search_key,
        user.created_at,
      ],
    );
  }

  /** The user with an id, locked against every other change until the transaction ends. */
  async lock(manager: EntityManager, id: string): Promise<UserRow | undefined> {
    const rows: UserRow[] = await manager.query(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1 FOR NO KEY UPDATE`, [
      id,
    ]);
    return rows[0];
  }

  /** Activates or deactivates a user. Triggers disable and restore the user's virtual API keys. */
  async setActive(manager: EntityManager, id: string, active: boolean, now: string): Promise<void> {
    await manager.query('UPDATE users SET active = $2, version = version + 1, updated_at = $3 WHERE id = $1', [
      id,
      active,
      now,
    ]);
  }

  /** Whether the person exists; stays true until the transaction ends. */
  async holdForMembership(manager: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE', [id]);
    return rows.length > 0;
  }

  /**
   * Adds the people of the configuration, and renames those that came from it before. People from
   * other sources are left as they are, also where provisioning has bound a person of the
   * configuration to another subject: their user name is theirs. Whoever provisioning has removed
   * stays away.
   * @returns how many rows were added or changed
   */
  async upsertConfigured(manager: EntityManager, people: readonly ConfiguredUser[], now: string): Promise<number> {
    const rows = people.map((person) => ({
      ...person,
      id: uuidv7(),
      email: person.email ?? null,
      user_name_key: comparisonKey(person.user_name),
      email_key: person.email === undefined ? null : comparisonKey(person.email),
      search_key: searchKey(person.display_name, person.user_name, person.email),
    }));
    // In the order of the key: replicas that do this at once wait for each other instead of
    // deadlocking.
    const changed: unknown[] = await manager.query(
      `WITH changed AS (
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
         RETURNING TRUE AS done)
       SELECT * FROM changed`,
      [JSON.stringify(rows), now],
    );
    return changed.length;
  }
}

/** The WHERE conditions of a filter over `users u`. @param params gets the values appended */
function userConditions(filter: UserFilter, params: unknown[]): string[] {
  const { email, user_name, person, source, active, search, within } = filter;
  return [
    email !== undefined && `u.email_key = $${params.push(comparisonKey(email))}`,
    user_name !== undefined && `u.user_name_key = $${params.push(comparisonKey(user_name))}`,
    person !== undefined && `(u.issuer, u.subject) = ($${params.push(person.issuer)}, $${params.push(person.subject)})`,
    source !== undefined && `u.source = $${params.push(source)}`,
    active !== undefined && `u.active = $${params.push(active)}`,
    search !== undefined && `u.search_key LIKE $${params.push(containing(search))}`,
    // As an array it is made once; as a subquery Postgres may walk through it again for each
    // person.
    within !== undefined && `u.id = ANY (ARRAY(${peopleIn(`$${params.push(within)}::uuid`)}))`,
  ].filter((condition) => condition !== false);
}
